import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Edge, siteItem } from './harness.ts'
import { Origin } from './origin.ts'

describe("the platform's own pages", () => {
  const origin = new Origin((_, response) => {
    response.statusCode = 404
    response.end("the origin's own page")
  })
  let edge: Edge

  beforeAll(async () => {
    await origin.start()
    edge = await Edge.start()
    const settings = Edge.allowPrivate()
    if (settings.kind === 'settings') settings.body!.brand = '<b>Brand & Co</b>'
    await edge.apply([
      settings,
      siteItem(1, ['paused.example'], origin.port, { enabled: false }),
      siteItem(2, ['open.example'], origin.port),
      siteItem(3, ['nowhere.example'], origin.port, { addresses: [[]] }),
    ])
  })
  afterAll(async () => {
    await edge?.destroy()
    await origin.stop()
  })

  it("answers an unknown host with a 404 page in the visitor's language, with the request id and nothing from outside", async () => {
    const english = await edge.get('unknown.example', '/')
    expect(english.status).toBe(404)
    expect(english.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(english.body).toContain('<html lang="en">')
    expect(english.body).toContain('Site not found')
    expect(english.body).toContain(english.headers['x-request-id'])
    expect(english.body).not.toMatch(/(src|href)=|url\(/)
    expect(english.body).toContain('prefers-color-scheme:dark')
    expect(english.headers['content-security-policy']).toContain("default-src 'none'")
    expect(english.headers['x-content-type-options']).toBe('nosniff')
    for (const [header, lang] of [
      ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN'],
      ['en-GB;q=0.8, zh;q=0.9', 'zh-CN'],
      ['de, en;q=0.5', 'en'],
      ['zh;q=0', 'en'],
    ]) {
      const page = await edge.get('unknown.example', '/', { headers: { 'Accept-Language': header! } })
      expect(page.body, header).toContain(`<html lang="${lang}">`)
    }
  })

  it('escapes everything that comes from outside', async () => {
    const page = await edge.get('unknown.example', '/<script>', { headers: { Host: 'x"\'<i>.example' } })
    expect(page.body).not.toContain('<script>')
    expect(page.body).not.toContain('<i>')
    const branded = await edge.get('unknown.example', '/')
    expect(branded.body).toContain('&lt;b&gt;Brand &amp; Co&lt;/b&gt;')
  })

  it('says so when a site is paused or its origin has no address', async () => {
    expect((await edge.get('paused.example', '/')).status).toBe(503)
    const page = await edge.get('nowhere.example', '/', { headers: { 'Accept-Language': 'zh' } })
    expect(page.status).toBe(502)
    expect(page.body).toContain('无法解析源站域名')
    expect(page.headers['cache-control']).toBe('no-store')
  })

  it("leaves the origin's own error pages as they are", async () => {
    expect(await edge.get('open.example', '/')).toMatchObject({ status: 404, body: "the origin's own page" })
  })
})
