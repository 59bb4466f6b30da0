import { describe, expect, it } from 'vitest'
import { dnsServer, dnsServerOf, probeUrl, queryName, reverseName } from './lookups.ts'

/** What is stored, or the key of what is wrong. */
const of = (schema: typeof queryName, text: string): string => {
  const { success, data, error } = schema.safeParse(text)
  return success ? data : `! ${error.issues[0]?.message}`
}

describe('what is typed in to look something up', () => {
  it.each([
    [' WWW.Example.com. ', 'www.example.com'],
    ['com', 'com'],
    ['.', ''],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['*.example.com', '*.example.com'],
    ['例子.测试', 'xn--fsqu00a.xn--0zwm56d'],
    ['192.0.2.7', '7.2.0.192.in-addr.arpa'],
    ['', '! required'],
    ['a b.example', '! domain'],
    ['-a.example', '! domain'],
    ['x"; DROP TABLE.example', '! domain'],
    [`${'a'.repeat(64)}.example`, '! domain'],
  ])('name %j -> %s', (text, wanted) => {
    expect(of(queryName, text)).toBe(wanted)
  })

  it('an address of IPv6 stands in DNS by its digits', () => {
    expect(reverseName('2001:db8::567:89ab')).toBe(
      'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
    )
    expect(reverseName('::1')).toBe(`1.${'0.'.repeat(31)}ip6.arpa`)
    expect(reverseName('::ffff:192.0.2.1')).toMatch(/^1\.0\.2\.0\.0\.0\.0\.c\.f\.f\.f\.f\./)
  })

  it.each([
    ['', ''],
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1:5353 ', '192.0.2.1:5353'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8::1]:53', '[2001:db8::1]:53'],
    ['ns.example.com', '! ip'],
    ['192.0.2.1:0', '! ip'],
    ['192.0.2.1:65536', '! ip'],
    ['[192.0.2.1]:53', '! ip'],
  ])('name server %j -> %s', (text, wanted) => {
    expect(of(dnsServer, text)).toBe(wanted)
    if (!wanted.startsWith('!') && wanted !== '') expect(dnsServerOf(wanted)?.port).toBeGreaterThan(0)
  })

  it.each([
    ['https://Example.com/A?b=c#d', 'https://example.com/A?b=c'],
    ['http://例子.测试', 'http://xn--fsqu00a.xn--0zwm56d/'],
    ['http://192.0.2.1:8080/x', 'http://192.0.2.1:8080/x'],
    ['http://[2001:db8::1]/', 'http://[2001:db8::1]/'],
    ['http://localhost:3000/', 'http://localhost:3000/'],
    ['', '! required'],
    ['example.com', '! web_address'],
    ['ftp://example.com/', '! web_address'],
    ['file:///etc/passwd', '! web_address'],
    ['http://', '! web_address'],
    ['http://user:secret@example.com/', '! invalid'],
    ['http://one/', '! host'],
    [`https://example.com/${'a'.repeat(2_048)}`, '! too_long'],
  ])('URL %j -> %s', (text, wanted) => {
    expect(of(probeUrl, text)).toBe(wanted)
  })
})
