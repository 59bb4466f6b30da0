// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { agreementConfig, flagsConfig, systemConfig, webConfig } from '@tidegate/contract/config/web'
import { describe, expect, it } from 'vitest'
import { showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { asOperator, control, listed, row, type } from './testing.tsx'
import { Page as WebsitePage } from './WebsitePage.tsx'

asOperator()

const rows = () => [
  row(1, 'web_config', webConfig.parse({})),
  row(2, 'feature_flags', flagsConfig.parse({})),
  row(3, 'system_config', systemConfig.parse({})),
  row(4, 'service_agreement', agreementConfig.parse({})),
  row(5, 'DNS_USER_API_ROOT_URI', ''),
]
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const png = (size: number) => {
  const bytes = new Uint8Array(size)
  bytes.set(PNG)
  return new File([bytes], 'a.png')
}

describe('the website form', () => {
  it('suggests a name of at most 8 characters and takes a longer one [S5.19]', async () => {
    peer({ 'config.list': () => listed(rows()) })
    showPage(WebsitePage)
    await screen.findByText('At most 8 characters are suggested')
    await type('Website name', '12345678')
    expect(screen.queryByText(/Longer than 8/)).toBeNull()
    await type('Website name', '123456789')
    await screen.findByText(/Longer than 8 characters/)
    expect((await control('Website name')).getAttribute('aria-invalid')).toBeNull()
  })

  it.each([
    ['Logo on light', 'PNG, JPG, GIF, WEBP, up to 100 KB, shown at 150×50', 102_400, '100 KB'],
    ['Logo on dark', 'PNG, JPG, GIF, WEBP, up to 100 KB, shown at 150×50', 102_400, '100 KB'],
    ['Favicon', 'ICO, PNG, up to 50 KB, shown at 32×32', 51_200, '50 KB'],
  ])(
    '%s: says its limits, keeps to them, and shows what was taken at once [S5.19]',
    async (label, hint, max, words) => {
      const url = `/uploads/${'a'.repeat(32)}.png`
      const { seen } = peer({
        'config.list': () => listed(rows()),
        'upload.save': () => ({ url, type: 'image/png', size: max }),
      })
      showPage(WebsitePage)
      const input = await control(label)
      const field = () => input.closest('.field')
      expect(field()?.querySelector('.field-hint')?.textContent).toBe(hint)
      fireEvent.change(input, { target: { files: [png(max + 1)] } })
      await waitFor(() => expect(field()?.textContent).toContain(`the image must not be larger than ${words}`))
      expect(seen.some((one) => one.id === 'upload.save')).toBe(false)
      fireEvent.change(input, { target: { files: [png(max)] } })
      await waitFor(() => expect(field()?.querySelector('img')?.getAttribute('src')).toBe(url))
      await waitFor(() => expect(document.querySelector('.settings-preview img')?.getAttribute('src')).toBe(url))
    },
  )
})
