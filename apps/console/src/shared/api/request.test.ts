import { describe, expect, it } from 'vitest'
import { httpRequest } from './request.ts'
import { wireOf } from './wire.ts'

describe('an operation as a request', () => {
  it('puts path parameters into the path and the rest of a GET into the query', () => {
    expect(httpRequest('/antsxdp/', wireOf('site.info'), { id: 7 })).toEqual({
      method: 'GET',
      url: '/antsxdp/sys/cdn/site/info/7',
      body: undefined,
    })
    expect(httpRequest('/antsxdp/', wireOf('push.watch'), { scope: 'group:1', revision: 3 }).url).toBe(
      '/antsxdp/sys/cdnsys/auth/push/watch?scope=group%3A1&revision=3',
    )
  })
  it('sends a POST as JSON, and a write by POST where it may', () => {
    expect(httpRequest('/', wireOf('cache.purge'), { kind: 'site', entries: ['http://a.b/'] }).body).toBe(
      '{"kind":"site","entries":["http://a.b/"]}',
    )
    expect(httpRequest('/', wireOf('push.all'), {}).method).toBe('POST')
  })
})
