// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { UPLOAD_PURPOSES, type UploadPurpose } from '@tidegate/contract/uploads'
import { describe, expect, it } from 'vitest'
import { inBrowser } from '../testing/browser.ts'
import { peer, Refusal } from '../testing/peer.ts'
import { chooseLang } from './i18n.ts'
import { sendPicture } from './picture.ts'

inBrowser()

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const URL = `/uploads/${'a'.repeat(32)}.png`
const file = (head: readonly number[], size: number) => {
  const bytes = new Uint8Array(size)
  bytes.set(head)
  return new File([bytes], 'any.name', { type: 'text/html' })
}
const text = (words: string) => new File([words], 'logo.png', { type: 'image/png' })
const withServer = () => {
  const { seen } = peer({ 'upload.save': () => ({ url: URL, type: 'image/png', size: 1 }) })
  return seen
}

describe('a picture', () => {
  it.each([
    ['logo', 102_400, '100 KB'],
    ['favicon', 51_200, '50 KB'],
    ['message', 512_000, '500 KB'],
    ['workOrder', 1_048_576, '1 MB'],
  ] as const)(
    'for %s is sent with %i bytes, and not with one more [S5.19]',
    async (purpose: UploadPurpose, max, words) => {
      const seen = withServer()
      expect(await sendPicture(purpose, file(PNG, max))).toEqual({ url: URL })
      expect(await sendPicture(purpose, file(PNG, max + 1))).toEqual({
        wrong: `the image must not be larger than ${words}`,
      })
      chooseLang('zh')
      expect(await sendPicture(purpose, file(PNG, max + 1))).toEqual({ wrong: `图片不能超过 ${words}` })
      expect(seen).toHaveLength(1)
    },
  )

  it.each(Object.keys(UPLOAD_PURPOSES) as UploadPurpose[])(
    'for %s is known by its bytes, not by its name: SVG, HTML and PDF are not sent [S5.19]',
    async (purpose) => {
      const seen = withServer()
      const types = purpose === 'favicon' ? 'ICO, PNG' : 'PNG, JPG, GIF, WEBP'
      for (const words of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html></html>', '%PDF-1.7', ''])
        expect(await sendPicture(purpose, text(words))).toEqual({ wrong: `only ${types} images are possible` })
      expect(seen).toEqual([])
    },
  )

  it('that the server refuses is refused in its words', async () => {
    const refusal = { error: 'invalid_input', msg: 'x', errors: [{ path: 'file', msg: 'not today' }] }
    peer({ 'upload.save': () => new Refusal(400, refusal) })
    expect(await sendPicture('logo', file(PNG, 100))).toEqual({ wrong: 'not today' })
  })
})
