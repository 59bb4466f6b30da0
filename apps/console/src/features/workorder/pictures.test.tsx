// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { inBrowser } from '../../testing/browser.ts'
import { buttons, showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { PicturePicker } from './Pictures.tsx'
import './texts.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const MAX = 1_048_576
const png = (name: string, size = 100) => {
  const bytes = new Uint8Array(size)
  bytes.set(PNG)
  return new File([bytes], name)
}
const Picker = () => {
  const [img, setImg] = useState<string[]>([])
  return <PicturePicker img={img} onChange={setImg} />
}
const show = () => {
  let sent = 0
  const { seen } = peer({
    'upload.save': () => {
      sent += 1
      return { url: `/uploads/${String(sent).padStart(32, '0')}.png`, type: 'image/png', size: 100 }
    },
  })
  showPage(Picker)
  return seen
}
const choose = (files: File[]) => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (input === null) throw new Error('no input')
  fireEvent.change(input, { target: { files } })
}
const shown = () => document.querySelectorAll('.order-picked img').length
const adding = () => buttons().some((b) => b.className === 'order-add-picture')

describe('pictures of a work order', () => {
  it.each([
    ['en', '9 pictures at most', 'the image must not be larger than 1 MB'],
    ['zh', '最多 9 张图片', '图片不能超过 1 MB'],
  ] as const)('are at most nine of 1 MB each (%s) [S5.19]', async (lang, many, large) => {
    chooseLang(lang)
    const seen = show()
    choose([png('a.png', MAX), png('large.png', MAX + 1)])
    await screen.findByText(`large.png: ${large}`)
    await waitFor(() => expect(shown()).toBe(1))
    await waitFor(() => expect(adding()).toBe(true))
    choose(Array.from({ length: 10 }, (_, i) => png(`${i}.png`)))
    await screen.findByText(many)
    await waitFor(() => expect(shown()).toBe(9))
    expect([seen.length, adding()]).toEqual([9, false])
    fireEvent.click(buttons()[0] as HTMLButtonElement)
    await waitFor(() => expect([shown(), adding()]).toEqual([8, true]))
  })

  it('are known by their bytes', async () => {
    const seen = show()
    choose([new File(['<svg/>'], 'a.png', { type: 'image/png' })])
    await screen.findByText('a.png: only PNG, JPG, GIF, WEBP images are possible')
    expect(seen).toEqual([])
  })
})
