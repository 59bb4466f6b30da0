/** Validators of the specification's section 5; server and console use these same ones. Each failure's message is a FIELD_ERRORS key. */
import { z } from 'zod'
import type { FieldErrorKey } from './errors.ts'

/** A schema issue whose message is a field error key, with params for its text. */
export const fail = (
  ctx: z.RefinementCtx,
  key: FieldErrorKey,
  params: Record<string, string | number> = {},
  path: PropertyKey[] = [],
) => ctx.addIssue({ code: 'custom', message: key, params, path })

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * A domain as it is stored: lower case, punycode (RFC 5891 by way of WHATWG URL), no final dot; one leading "*." is allowed.
 * 3 to 255 characters, labels 1 to 63, at least two labels. Gives null when it is not one.
 */
export const normalizeDomain = (text: string): string | null => {
  const trimmed = text.trim().replace(/\.$/, '')
  const wildcard = trimmed.startsWith('*.')
  const rest = wildcard ? trimmed.slice(2) : trimmed
  if (rest === '' || /[\s/\\:?#@[\]%*]/.test(rest)) return null
  const ascii = toAscii(rest)
  if (ascii === null) return null
  const domain = wildcard ? `*.${ascii}` : ascii
  const labels = ascii.split('.')
  if (domain.length < 3 || domain.length > 255 || labels.length < 2) return null
  if (/^\d+$/.test(labels.at(-1) ?? '')) return null
  return labels.every((l) => LABEL.test(l)) ? domain : null
}

const toAscii = (name: string): string | null => {
  try {
    return new URL(`http://${name}/`).hostname
  } catch {
    return null
  }
}

/** Dotted IPv4 with decimal parts without leading zeros (RFC 6943, 3.1.1: no other forms). */
export const isIPv4 = (text: string) =>
  /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text) && !/(^|\.)0\d/.test(text)

/** IPv6 of RFC 4291 without zone. */
export const isIPv6 = (text: string): boolean => {
  if (!text.includes(':') || /[^0-9a-fA-F:.]/.test(text)) return false
  try {
    return new URL(`http://[${text}]/`).hostname !== ''
  } catch {
    return false
  }
}
export const isIP = (text: string) => isIPv4(text) || isIPv6(text)

/** Address with prefix length. */
export const isCIDR = (text: string): boolean => {
  const [address = '', length = '', more] = text.split('/')
  if (more !== undefined || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return false
  if (isIPv4(address)) return Number(length) <= 32
  return isIPv6(address) && Number(length) <= 128
}

export const domain = z.string().transform((text, ctx) => {
  const name = normalizeDomain(text)
  if (name === null) {
    fail(ctx, 'domain')
    return z.NEVER
  }
  return name
})

export const ip = z.string().refine(isIP, { message: 'ip' })
export const ipOrCidr = z.string().refine((t) => isIP(t) || isCIDR(t), { message: 'ip' })

/** 1 to 65535; the rule of 65534 in the specification is read as its message (S5.9). */
export const port = z.coerce
  .number({ error: 'port' })
  .int({ error: 'port' })
  .min(1, { error: 'port' })
  .max(65_535, { error: 'port' })

/** Name or address of an origin: a domain without wildcard, or an IP; addresses may stand in brackets. */
export const originHost = z.string().transform((text, ctx) => {
  const bare = text.trim().replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare)) return bare.toLowerCase()
  if (bare.toLowerCase() === 'localhost') return 'localhost'
  const name = normalizeDomain(bare)
  if (name === null || name.startsWith('*.')) {
    fail(ctx, 'host')
    return z.NEVER
  }
  return name
})

/** A domain without wildcard. */
export const exactDomain = domain.refine((name) => !name.startsWith('*.'), { message: 'domain' })

/** A private origin that is allowed: `host:port` (IPv6 in brackets), CIDR, or `*` for all. Lower case. */
export const allowedOrigin = z.string().transform((text, ctx) => {
  const entry = text.trim().toLowerCase()
  if (entry === '*' || isCIDR(entry)) return entry
  const [, bracketed, plain, number] = /^(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})$/.exec(entry) ?? []
  const host = originHost.safeParse(bracketed ?? plain)
  const found = port.safeParse(number)
  if (!host.success || !found.success || (bracketed !== undefined) !== isIPv6(host.data)) {
    fail(ctx, 'allowed_origin')
    return z.NEVER
  }
  return bracketed === undefined ? `${host.data}:${found.data}` : `[${host.data}]:${found.data}`
})

const CHINESE = /[\u3400-\u9fff\uf900-\ufaff]/
export const password = z
  .string()
  .refine((t) => t.length >= 4 && t.length <= 32 && !CHINESE.test(t), { message: 'password_form' })
export const accountName = z.string().regex(/^[A-Za-z0-9@._-]{4,32}$/, { error: 'name_form' })

export const isMail = (text: string) => mailAddress.safeParse(text).success
export const isPhone = (text: string) => phone.safeParse(text).success

/** The address of a verification code must be one of its channel. */
export const addressed = ({ channel, address }: { channel: 'mail' | 'sms'; address: string }, ctx: z.RefinementCtx) => {
  if (channel === 'mail' && !isMail(address)) fail(ctx, 'email', {}, ['address'])
  if (channel === 'sms' && !isPhone(address)) fail(ctx, 'phone', {}, ['address'])
}

/** A verification code: six digits. */
export const code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, { error: 'code_wrong' })

const ID_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const ID_CHECKS = '10X98765432'

const isDay = (year: number, month: number, day: number) => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Second-generation identity card: 17 digits with a day of birth, and a check character (GB 11643-1999, ISO 7064 MOD 11-2). */
export const isIdCard = (text: string): boolean => {
  const [, year, month, day] = /^[1-9]\d{5}((?:18|19|20)\d\d)(\d\d)(\d\d)\d{3}[\dXx]$/.exec(text) ?? []
  if (year === undefined || !isDay(Number(year), Number(month), Number(day))) return false
  const sum = ID_WEIGHTS.reduce((n, weight, i) => n + weight * Number(text[i]), 0)
  return ID_CHECKS[sum % 11] === text[17]?.toUpperCase()
}

/** Age from which a person can consent alone to the handling of the own data (Personal Information Protection Law, article 31). */
export const CONSENT_AGE = 14
/** Whether who has this (valid) number has reached that age at `now`, in milliseconds, by China's calendar. */
export const isOldEnough = (number: string, now: number): boolean => {
  const today = new Date(now + 8 * 3_600_000)
  const ends = Number(number.slice(6, 14)) + CONSENT_AGE * 10_000
  return today.getUTCFullYear() * 10_000 + (today.getUTCMonth() + 1) * 100 + today.getUTCDate() >= ends
}
export const idCard = z
  .string()
  .trim()
  .refine(isIdCard, { message: 'id_card' })
  .transform((text) => text.toUpperCase())

/** Domain lists: no duplicates (after normalising). */
export const domainList = (max: number) =>
  z
    .array(domain)
    .min(1, { error: 'required' })
    .max(max)
    .superRefine((list, ctx) => {
      list.forEach((name, i) => {
        if (list.indexOf(name) < i) fail(ctx, 'duplicate', { value: name }, [i])
      })
    })

/** Splits a text area into lines: trimmed, empty ones left out. */
export const lines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((l) => l.trim())
    .filter((l) => l !== '')

/**
 * One purge entry as typed -> its parts, or the field error it earns. `site` entries are http(s)://host with an optional final slash.
 * Fragments are dropped; the path keeps its case; an empty path is "/".
 */
export const parsePurgeEntry = (
  kind: 'site' | 'url' | 'dir',
  text: string,
): { host: string; path: string } | FieldErrorKey => {
  const trimmed = text.trim()
  if (!/^https?:\/\//i.test(trimmed)) return 'purge_url'
  if (/^https?:\/\/[^/]*\*/i.test(trimmed)) return 'purge_wildcard'
  let url: URL
  try {
    url = new URL(trimmed)
  } catch {
    return 'invalid'
  }
  if (normalizeDomain(url.hostname) === null && !isIP(url.hostname.replace(/^\[|\]$/g, ''))) return 'domain'
  const path = kind === 'url' ? url.pathname + url.search : url.pathname
  if (kind === 'dir' && !path.endsWith('/')) return 'purge_dir'
  return { host: url.hostname, path: kind === 'site' ? '/' : path }
}

/** A mail address as people write one (RFC 5321, 4.1.2, dot-string form); no control characters, so nothing can be added to a header. */
export const mailAddress = z
  .string()
  .trim()
  .max(254)
  .regex(
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}$/,
    {
      error: 'email',
    },
  )

/** 1 followed by 4 to 20 digits (specification, section 5). */
export const phone = z
  .string()
  .trim()
  .regex(/^1\d{4,20}$/, { error: 'phone' })

/** An address that begins with http, https or ftp and names a host (specification, section 5). */
export const url = z
  .string()
  .trim()
  .regex(/^(?:https?|ftp):\/\/[^\s/?#]+[^\s]*$/i, { error: 'url' })

const HREF = /<a\b[^>]*?\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi
/** Within this console, to a mail program, to a telephone. */
const OTHER_LINK = /^(?:#|\/(?!\/)|mailto:|tel:)/i

/** The first link of a rich text that leads nowhere: it has to be a URL, or to stay within the console, or to be a mail address or number. */
export const brokenLink = (html: string): string | null => {
  for (const [, double, single] of html.matchAll(HREF)) {
    const href = (double ?? single ?? '').replaceAll('&amp;', '&').trim()
    if (!OTHER_LINK.test(href) && !url.safeParse(href).success) return href
  }
  return null
}
