/** What an operator types in to look something up, as both sides check it. */
import { z } from 'zod'
import type { FieldErrorKey } from './errors.ts'
import { fail, isIP, isIPv6, normalizeDomain } from './validators.ts'

const DNS_PORT = 53
const TOP_LEVEL = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A name to ask for: a domain, a top-level one among them, `.` for the root, or an address, whose name is asked for. Stored as `dig` takes it. */
export const queryName = z.string().transform((text, ctx) => {
  const typed = text.trim().toLowerCase()
  if (typed === '.' || isIP(typed)) return typed === '.' ? '' : reverseName(typed)
  const bare = typed.replace(/\.$/, '')
  const name = TOP_LEVEL.test(bare) ? bare : normalizeDomain(bare)
  if (name === null) {
    fail(ctx, bare === '' ? 'required' : 'domain')
    return z.NEVER
  }
  return name
})

/** The name under which an address stands in DNS (RFC 1035, 3.5; RFC 3596, 2.5). */
export const reverseName = (address: string): string => {
  if (!isIPv6(address)) return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(':'))
  const [left, right] = [groups(head), groups(tail)]
  const all = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  const digits = all.map((group) => group.padStart(4, '0')).join('')
  return `${[...digits].reverse().join('.')}.ip6.arpa`
}

/** The parts of `address`, `address:port` or `[address]:port`; null when it is none of them. */
export const dnsServerOf = (text: string): { host: string; port: number } | null => {
  if (isIP(text)) return { host: text, port: DNS_PORT }
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain ?? ''
  const port = Number(digits)
  const fits = isIP(host) && isIPv6(host) === (bracketed !== undefined) && port >= 1 && port <= 65_535
  return fits ? { host, port } : null
}

/** A name server, or '' for the node's own resolver. */
export const dnsServer = z.string().transform((text, ctx) => {
  const typed = text.trim().toLowerCase()
  if (typed !== '' && dnsServerOf(typed) === null) fail(ctx, 'ip')
  return typed
})

/** An address of the web, without a login in it. The name in it is turned into the form that DNS knows. */
export const probeUrl = z.string().transform((text, ctx) => {
  const typed = text.trim()
  const url = /^https?:\/\//i.test(typed) && URL.canParse(typed) ? new URL(typed) : null
  const key = typed === '' ? 'required' : url === null ? 'web_address' : hostFault(url)
  if (key !== null || url === null) {
    fail(ctx, key ?? 'web_address')
    return z.NEVER
  }
  url.hash = ''
  if (url.href.length > 2_048) fail(ctx, 'too_long', { max: 2_048 })
  return url.href
})

const hostFault = ({ hostname, username, password }: URL): FieldErrorKey | null => {
  if (username !== '' || password !== '') return 'invalid'
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) || host === 'localhost' || normalizeDomain(host) !== null ? null : 'host'
}
