import { siteSettings } from '@tidegate/contract/operations/site'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPlane, type TestPlane } from '../../testing/plane.ts'
import { sampleOf } from './name-sample.ts'

const SITES = 12_000

describe('a long list of sites', () => {
  let plane: TestPlane
  beforeAll(async () => {
    plane = await openPlane({ roles: ['api'] })
    await plane.query("INSERT INTO node_group (id, name, cname_zone) VALUES (2, 'second', 'two.test')")
    await plane.query(
      `INSERT INTO site (group_id, slug, domains, origin_protocol, origins, settings, enabled, created_at, updated_at)
       SELECT 1 + n % 2, 'slug' || n, ARRAY['www.shop-' || n || '.example', 'm' || n % 7 || '.shop-' || n || '.test'], 'http', '[]', $2,
         n % 3 = 0, now() - n * interval '1 second', now() - (n * 7919 % 10007) * interval '1 second'
       FROM generate_series(1, $1::int) n`,
      [SITES, JSON.stringify(siteSettings.parse({}))],
    )
    // Certificates that have ended, end soon, and end later.
    await plane.query(
      `INSERT INTO cert (id, names, issuer, fingerprint, not_after, cert_pem, key_sealed)
       SELECT n, ARRAY['x'], '', '', now() + make_interval(days => n * 20 - 30), '', '' FROM generate_series(1, 3) n`,
    )
    await plane.query('UPDATE site SET cert_id = nullif(id % 4, 0) WHERE id % 40 < 8')
    await plane.query('INSERT INTO site_domain (domain, site_id) SELECT unnest(domains), id FROM site')
  })
  afterAll(() => plane.close())

  interface Plain {
    id: number
    group: number
    enabled: boolean
    domains: string[]
    slug: string
    created: string
    updated: string
    /** Days until the certificate's end. */
    left: number | null
  }
  const COLUMNS = { id: 'id', createTime: 'created', updateTime: 'updated' } as const

  it('gives for every search, filter, order and page what reading all of it would give', async () => {
    const all = await plane.query<Plain>(
      `SELECT id, group_id AS "group", enabled, domains, slug, to_char(created_at, 'YYYYMMDDHH24MISSUS') AS created,
         to_char(updated_at, 'YYYYMMDDHH24MISSUS') AS updated, cert_id * 20 - 30 AS left FROM site`,
    )
    const keys = fc.constantFrom(
      'shop',
      '12',
      '123',
      'm3.',
      'www.shop-9',
      'shop-77.example',
      'm1.shop-8.test',
      'slug44',
      'w',
      'm5',
      'none',
    )
    const option = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
    const queries = fc.record({
      key: option(keys),
      groupId: option(fc.constantFrom(1, 2)),
      enabled: option(fc.boolean()),
      certDays: option(fc.constantFrom(0, 14, 3650)),
      sidx: option(fc.constantFrom('id', 'createTime', 'updateTime')),
      order: option(fc.constantFrom('asc', 'desc')),
      page: fc.constantFrom(1, 2, 3, 30),
      limit: fc.constantFrom(10, 50),
    })
    await fc.assert(
      fc.asyncProperty(queries, async ({ key, groupId, enabled, certDays, sidx, order, page, limit }) => {
        const starts = (s: Plain, text: string) => s.domains.some((d) => d.startsWith(text))
        const contains = (s: Plain, text: string) => [...s.domains, s.slug].some((d) => d.includes(text))
        const exact = (s: Plain) => key === String(s.id) || key === s.slug || s.domains.includes(key ?? '')
        const matches = (s: Plain) =>
          key === undefined || exact(s) || (key.length < 3 ? starts(s, key) : contains(s, key))
        const sign = order === 'asc' ? 1 : -1
        const first = (s: Plain) => (sidx === undefined && order === undefined && exact(s) ? 0 : 1)
        const column = COLUMNS[sidx ?? 'id']
        const compare = (a: Plain, b: Plain) =>
          a[column] < b[column] ? -sign : a[column] > b[column] ? sign : sign * (a.id - b.id)
        const want = all
          .filter((s) => matches(s) && (groupId ?? s.group) === s.group && (enabled ?? s.enabled) === s.enabled)
          .filter((s) => certDays === undefined || (s.left !== null && s.left < certDays))
          .sort((a, b) => first(a) - first(b) || compare(a, b))
        const input = { key, groupId, enabled, certDays, sidx, order, page, limit }
        const { list, totalCount } = (await plane.run('site.list', input)).data
        expect(list.map((s) => s.id)).toEqual(want.slice((page - 1) * limit, page * limit).map((s) => s.id))
        expect(totalCount).toBe(Math.min(want.length, 10_001))
      }),
      { numRuns: 80 },
    )
  })
})

describe('a sample of names', () => {
  const sample = sampleOf(Array.from({ length: 1_000 }, (_, n) => `\nwww.site-${n}.example slug${n}`))

  it('tells the rare parts of a text from the common ones', () => {
    expect(sample.share('.example')).toBe(1)
    expect(sample.share('site-77')).toBe(0.011)
    for (const part of sample.rareParts('www.site-482.example')) expect(part).toMatch(/[482]{2}/)
    expect(sample.rareParts('abc')).toEqual(['abc'])
  })

  it('names no part that the index knows nothing of', () => {
    expect(sample.rareParts('...')).toEqual([])
    expect(sample.rareParts('---.')).toEqual([])
  })
})
