/** The validators that server and console share, and the words in which they refuse, in both languages. */
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { LANGUAGES } from './enums.ts'
import { fieldErrors } from './issues.ts'
import { PURGE_MAX_ENTRIES } from './limits.ts'
import { purgeIn } from './operations/cache.ts'
import { siteIn } from './operations/site.ts'
import { domain, ip, ipOrCidr, originHost, parsePurgeEntry } from './validators.ts'

/** "path: text" of each fault, in zh and in en. */
const words = (schema: z.ZodType, value: unknown): string[][] => {
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return []
  return LANGUAGES.map((lang) => fieldErrors(parsed.error, lang).map((e) => `${e.path}: ${e.msg}`))
}

const label = (length: number) => 'x'.repeat(length)
/** A domain of so many characters, all labels legal. */
const long = (length: number) => {
  const labels = Array.from({ length: Math.floor(length / 50) }, () => label(49))
  const rest = length - labels.length * 50
  return [...labels, label(rest)].join('.')
}

describe('domains', () => {
  const taken: [string, string][] = [
    ['a.b', 'a.b'],
    ['www.example.com', 'www.example.com'],
    ['  WWW.Example.COM  ', 'www.example.com'],
    ['example.com.', 'example.com'],
    ['*.example.com', '*.example.com'],
    ['under_score.example.com', 'under_score.example.com'],
    ['xn--fiqs8s.cn', 'xn--fiqs8s.cn'],
    ['中国.cn', 'xn--fiqs8s.cn'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['例子。测试', 'xn--fsqu00a.xn--0zwm56d'],
    [`${label(63)}.com`, `${label(63)}.com`],
    [long(255), long(255)],
  ]
  const refused = [
    '',
    'ab',
    'localhost',
    'a..b',
    '.example.com',
    'example.com..',
    `${label(64)}.com`,
    long(256),
    '-a.example.com',
    'a-.example.com',
    '*.com',
    '*',
    'a.*.com',
    '*a.example.com',
    '*.*.example.com',
    'exa mple.com',
    'http://example.com',
    'example.com/path',
    'example.com:80',
    'user@example.com',
    'example.com?x',
    'example.com#x',
    'a%2eb.com',
    'a\\b.com',
    '1.2.3.4',
    '127.1',
    '0x7f.1',
    '2130706433',
    '::1',
    '[::1]',
    'a.example.123',
    'xn--a.example',
    'a\u0000b.com',
    'a\nb.com',
    '<b>.example.com',
  ]
  it('are taken with 3 to 255 characters, labels of 1 to 63, one leading wildcard, other scripts as punycode; all else is a domain format error [S5.7]', () => {
    for (const [typed, stored] of taken) expect(domain.parse(typed), typed).toBe(stored)
    for (const text of refused)
      expect(words(domain, text), JSON.stringify(text)).toEqual([[': 域名格式错误'], [': domain format error']])
  })

  it('are refused in a site by the place where they stand', () => {
    const site = { originProtocol: 'http', origins: [{ host: 'o.example' }] }
    expect(words(siteIn, { ...site, domains: ['good.example', 'bad'] })).toEqual([
      ['domains.1: 域名格式错误'],
      ['domains.1: domain format error'],
    ])
    expect(words(siteIn, { ...site, domains: ['same.example', 'SAME.example.'] })).toEqual([
      ['domains.1: 存在重复项：same.example'],
      ['domains.1: is there twice: same.example'],
    ])
  })
})

describe('addresses', () => {
  const v4 = ['0.0.0.0', '1.2.3.4', '255.255.255.255', '192.168.0.1']
  const v6 = ['::', '::1', '2001:db8::1', 'FE80::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4', '64:ff9b::1.2.3.4']
  const nets = ['0.0.0.0/0', '10.0.0.0/8', '1.2.3.4/32', '::/0', '2001:db8::/32', 'fd00::1/128']
  const none = [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4.',
    '256.1.1.1',
    '1.2.3.999',
    '01.2.3.4',
    '0x7f.0.0.1',
    '2130706433',
    '127.1',
    '1.2.3.4:80',
    ' 1.2.3.4',
    '1.2.3.４',
    ':',
    ':::',
    '1::2::3',
    '12345::',
    'g::1',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '[::1]',
    'fe80::1%eth0',
    '::1.2.3',
    'example.com',
  ]
  const noNets = ['10.0.0.0/33', '10.0.0.0/', '/8', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0.0/08', '::/129', '1.2.3/8']
  it('are IPv4, IPv6 or, where networks are asked for, CIDR; all else is an IP format error [S5.8]', () => {
    for (const text of [...v4, ...v6]) {
      expect(words(ip, text), text).toEqual([])
      expect(words(ipOrCidr, text), text).toEqual([])
    }
    for (const text of nets) {
      expect(words(ipOrCidr, text), text).toEqual([])
      expect(words(ip, text), text).toEqual([[': IP 格式错误'], [': IP format error']])
    }
    for (const text of [...none, ...noNets])
      expect(words(ipOrCidr, text), JSON.stringify(text)).toEqual([[': IP 格式错误'], [': IP format error']])
  })

  it('of origins stand with or without brackets; other notations of an address are neither name nor address', () => {
    for (const [typed, stored] of [
      ['[2001:DB8::1]', '2001:db8::1'],
      ['1.2.3.4', '1.2.3.4'],
      ['LOCALHOST', 'localhost'],
      ['Origin.Example.', 'origin.example'],
    ])
      expect(originHost.parse(typed)).toBe(stored)
    for (const text of [
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '127.0.0.1.',
      'http://o.example',
      '*.o.example',
    ])
      expect(words(originHost, text), text).toEqual([
        [': 请输入域名或 IP 地址'],
        [': enter a domain name or an IP address'],
      ])
  })
})

describe('entries of a cache cleanup', () => {
  const purge = (kind: string, ...entries: string[]) => words(purgeIn, { kind, entries })
  it('begin with http(s)://, name no wildcard and stand there once; the fault names the line [S5.14]', () => {
    for (const [kind, entry] of [
      ['site', 'http://a.example'],
      ['site', 'https://a.example/'],
      ['url', 'HTTPS://A.example/Path?b=1#part'],
      ['url', ' http://a.example '],
      ['dir', 'http://a.example/img/'],
      ['dir', 'http://a.example'],
    ] as const)
      expect(purge(kind, entry), entry).toEqual([])
    const table: [string, string, string, string][] = [
      ['url', 'a.example/x', '必须以 http:// 或 https:// 开头', 'must begin with http:// or https://'],
      ['url', 'ftp://a.example/', '必须以 http:// 或 https:// 开头', 'must begin with http:// or https://'],
      ['site', '//a.example', '必须以 http:// 或 https:// 开头', 'must begin with http:// or https://'],
      ['url', '', '必须以 http:// 或 https:// 开头', 'must begin with http:// or https://'],
      ['url', 'http://*.example.com/x', '不支持泛域名', 'wildcard domains are not possible'],
      ['site', 'https://*.example.com', '不支持泛域名', 'wildcard domains are not possible'],
      ['url', 'http://a_b/', '域名格式错误', 'domain format error'],
      ['url', 'http:///x', '域名格式错误', 'domain format error'],
      ['url', 'http://a.example:99999/', '格式不正确', 'is not in the right form'],
      ['dir', 'http://a.example/img', '目录必须以 / 结尾', 'a directory must end with /'],
    ]
    for (const [kind, entry, zh, en] of table)
      expect(purge(kind, 'http://good.example/', entry), entry).toEqual([[`entries.1: ${zh}`], [`entries.1: ${en}`]])
    expect(purge('url', 'http://a.example/x', 'https://A.example/x#y')).toEqual([
      ['entries.1: 存在重复项：https://A.example/x#y'],
      ['entries.1: is there twice: https://A.example/x#y'],
    ])
    // An address and another one that differs by case or query are two.
    expect(purge('url', 'http://a.example/x', 'http://a.example/X', 'http://a.example/x?1')).toEqual([])
  })

  it('are at most 200, 100 of directories', () => {
    const many = (kind: 'site' | 'url' | 'dir', count: number) =>
      purge(kind, ...Array.from({ length: count }, (_, i) => `http://a${i}.example/`))
    for (const kind of ['site', 'url', 'dir'] as const) {
      const most = PURGE_MAX_ENTRIES[kind]
      expect(many(kind, most)).toEqual([])
      expect(many(kind, most + 1)).toEqual([[`entries: 最多 ${most} 项`], [`entries: at most ${most} entries`]])
    }
    expect(PURGE_MAX_ENTRIES).toEqual({ site: 200, url: 200, dir: 100 })
  })

  it('mean host and path, without scheme, port and fragment', () => {
    expect(parsePurgeEntry('url', 'HTTPS://A.Example:8443/P%20a?q=1#f')).toEqual({
      host: 'a.example',
      path: '/P%20a?q=1',
    })
    expect(parsePurgeEntry('site', 'http://a.example/deep/path?x')).toEqual({ host: 'a.example', path: '/' })
    expect(parsePurgeEntry('dir', 'http://a.example/d/?x=1')).toEqual({ host: 'a.example', path: '/d/' })
  })
})
