import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sizeText, UPLOAD_PURPOSES, type UploadPurpose } from '@tidegate/contract/uploads'
import { startS3, type TestS3 } from '@tidegate/testkit/s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, callForm, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : part)))
const PNG = bytes([0x89], 'PNG\r\n', [0x1a], '\n')
const PICTURES: [string, Uint8Array, string][] = [
  ['png', PNG, 'image/png'],
  ['jpg', bytes([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
  ['gif', bytes('GIF89a'), 'image/gif'],
  ['webp', bytes('RIFF', [4, 0, 0, 0], 'WEBPVP8 '), 'image/webp'],
]
const ICO = bytes([0, 0, 1, 0, 1, 0])
const padded = (head: Uint8Array, size: number) => {
  const file = new Uint8Array(size)
  file.set(head)
  return file
}

let server: TestServer
let token = ''
let customer = ''
beforeAll(async () => {
  server = await testServer()
  token = await adminToken(server)
  customer = (await createCustomer(server, 'uploader')).token
})
afterAll(() => server.close())

const upload = (purpose: string, file: Uint8Array, as = token, more: object = {}) =>
  callForm(server, 'sys/oss/upload', { purpose }, file, { token: as, ...more })
const fault = async (purpose: string, file: Uint8Array, lang = 'en') =>
  (await upload(purpose, file, token, { headers: { lang } })).body.errors
const fetched = (url: string) => call(server, url, { method: 'GET' })

describe('uploads', () => {
  it.each(PICTURES)(
    'takes %s under each base, tells the type from the bytes, and serves it without anything that could run [S7.20]',
    async (ext, file, type) => {
      for (const base of ['/antsxdp/', '/ants-dns-api/', '/api/']) {
        const options = { token, filename: 'evil.html', fileType: 'text/html' }
        const { body } = await callForm(server, `${base}sys/oss/upload`, { purpose: 'logo' }, file, options)
        expect(body).toMatchObject({ code: 1, type, size: file.length })
        expect(body.url).toMatch(new RegExp(`^/uploads/[a-z0-9]{32}\\.${ext}$`))
        const served = await fetched(String(body.url))
        expect(served.headers).toMatchObject({
          'content-type': type,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'public, max-age=31536000, immutable',
        })
      }
    },
  )

  it('refuses what is no such image, whatever its name and type say [S5.19]', async () => {
    const texts = ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html><script>1</script>', '%PDF-1.7', 'BM1234']
    for (const text of texts) {
      expect(await fault('logo', bytes(text))).toEqual([
        { path: 'file', msg: 'only PNG, JPG, GIF, WEBP images are possible' },
      ])
      expect(await fault('logo', bytes(text), 'zh')).toEqual([{ path: 'file', msg: '只支持 PNG, JPG, GIF, WEBP 图片' }])
    }
    expect(await fault('favicon', PICTURES[1]![1])).toEqual([
      { path: 'file', msg: 'only ICO, PNG images are possible' },
    ])
    expect((await upload('favicon', ICO)).status).toBe(200)
    expect(await fault('nothing', PNG)).toMatchObject([{ path: 'purpose' }])
  })

  it.each([
    ['logo', 102_400, '100 KB'],
    ['favicon', 51_200, '50 KB'],
    ['message', 512_000, '500 KB'],
    ['workOrder', 1_048_576, '1 MB'],
  ] as const)('%s takes %i bytes and not one more [S5.19]', async (purpose: UploadPurpose, max, words) => {
    expect([UPLOAD_PURPOSES[purpose].max, sizeText(max)]).toEqual([max, words])
    expect((await upload(purpose, padded(PNG, max))).status).toBe(200)
    const wrong = [{ path: 'file', msg: `the image must not be larger than ${words}` }]
    expect(await fault(purpose, padded(PNG, max + 1))).toEqual(wrong)
  })

  it('cuts off what is far too large, and a form that does not come to its end', async () => {
    expect((await upload('workOrder', padded(PNG, 3_000_000))).body).toMatchObject({ code: 413, error: 'too_large' })
    const headers = { 'content-type': 'multipart/form-data; boundary=x', token }
    const open = await server.app.server.inject({
      method: 'POST',
      url: '/antsxdp/sys/oss/upload',
      headers,
      payload: '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    })
    expect(open.json()).toMatchObject({ code: 400, error: 'malformed_upload' })
    const elsewhere = await server.app.server.inject({
      method: 'POST',
      url: '/antsxdp/sys/config/list',
      headers,
      payload: '--x--',
    })
    expect(elsewhere.json()).toMatchObject({ code: 400 })
  })

  it('asks for the purpose’s own permission; a customer uploads for work orders only', async () => {
    expect((await upload('workOrder', PNG, customer)).status).toBe(200)
    for (const purpose of ['logo', 'favicon', 'message'])
      expect((await upload(purpose, PNG, customer)).status).toBe(403)
    await createAdmin(server, 'no-website', ['account:message:save'])
    const other = await loginAs(server, 'no-website')
    expect((await upload('logo', PNG, other)).status).toBe(403)
    expect((await upload('message', PNG, other)).status).toBe(200)
  })

  it('gives nothing for other names', async () => {
    for (const path of [
      '/uploads/x.png',
      '/uploads/..%2f..%2fmaster.key',
      `/uploads/${'a'.repeat(32)}.png`,
      '/uploads/',
    ])
      expect((await fetched(path)).status).toBe(404)
  })

  it('removes after a day what no setting and no version of one names, and keeps what is in use', async () => {
    const used = String((await upload('logo', PNG)).body.url)
    const once = String((await upload('logo', PNG)).body.url)
    const never = String((await upload('logo', PNG)).body.url)
    const save = (logoImgLight: string) =>
      call(server, 'sys/config/save', {
        token,
        body: { paramKey: 'web_config', paramValue: JSON.stringify({ basic: { logoImgLight } }) },
      })
    await save(once)
    await save(used)
    expect(await server.built.upload.prune()).toBe(0)
    server.clock.advance(25 * 3600)
    expect(await server.built.upload.prune()).toBeGreaterThan(0)
    const status = async (url: string) => (await fetched(url)).status
    expect([await status(used), await status(once), await status(never)]).toEqual([200, 200, 404])
    token = await adminToken(server)
  })

  it('removes after a day the pictures of messages that were never published or are deleted', async () => {
    const shown = String((await upload('message', PNG)).body.url)
    const dropped = String((await upload('message', PNG)).body.url)
    const body = { title: 'With a picture', content: `<p><img src="${shown}"></p>`, type: 2 }
    const { id } = (await call(server, 'sys/message/SaveMessage', { token, body })).body
    const status = async (url: string) => (await fetched(url)).status
    server.clock.advance(25 * 3600)
    token = await adminToken(server)
    await server.built.upload.prune()
    expect([await status(shown), await status(dropped)]).toEqual([200, 404])
    await call(server, 'sys/message/delete', { token, body: { ids: [id] } })
    await server.built.upload.prune()
    expect(await status(shown)).toBe(404)
  })
})

describe('uploads into storage that speaks S3', () => {
  let s3: TestS3
  beforeAll(async () => {
    s3 = await startS3('uploads')
  })
  afterAll(() => s3?.close())

  const useS3 = (more: object = {}) =>
    call(server, 'sys/config/save', {
      token,
      body: {
        paramKey: 'storage_config',
        paramValue: JSON.stringify({ type: 's3', ...s3.settings, prefix: 'tg/', ...more }),
      },
    })

  it('puts them there byte for byte, serves them from there, and leaves the disk alone [S7.20]', async () => {
    expect((await useS3()).status).toBe(200)
    const onDisk = () => readdir(join(server.dataDir, 'uploads'), { recursive: true }).catch(() => [])
    const before = await onDisk()
    const file = padded(PNG, 70_000).map((b, i) => (i < 8 ? b : (i * 31) % 256))
    const { body } = await upload('logo', file)
    expect(body.code).toBe(1)
    const raw = await server.app.server.inject({ method: 'GET', url: String(body.url) })
    expect(Buffer.compare(raw.rawPayload, Buffer.from(file))).toBe(0)
    expect(await onDisk()).toEqual(before)
  })

  it('says that the storage fails when its bucket does not exist, and keeps nothing of the upload', async () => {
    await useS3({ bucket: 'nowhere' })
    const { rows } = await server.built.context.database.pool.query('SELECT count(*)::int AS n FROM upload')
    expect((await upload('logo', PNG)).body).toMatchObject({ code: 503, error: 'storage_failed' })
    expect((await server.built.context.database.pool.query('SELECT count(*)::int AS n FROM upload')).rows).toEqual(rows)
  })
})
