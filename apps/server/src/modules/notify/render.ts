/** Texts from templates. Operators write plain text; the HTML of a mail is made from it here, so neither values nor texts can bring mark-up. */
import type { NotifyEvent } from '@tidegate/contract/config/notify'
import { EVENTS } from './events.ts'

export type Values = Readonly<Record<string, string>>

export interface Rendered {
  subject: string
  text: string
  html: string
}

const PLACE = /\{(\w+)\}/g
/** Longest value of a variable. */
const MAX_VALUE = 500
/** Stands for a secret where people read. */
export const HIDDEN = '******'

/** Values without control characters and of bounded length. Throws when the caller left one out or gave one too many: an error in the program. */
export const checkedValues = (event: NotifyEvent, given: Values): Record<string, string> => {
  const names = EVENTS[event].variables.map((one) => one.name)
  const odd =
    Object.keys(given).find((name) => !names.includes(name)) ?? names.find((name) => !Object.hasOwn(given, name))
  if (odd !== undefined) throw new Error(`notice ${event}: variable ${odd} is unknown or missing`)
  return Object.fromEntries(names.map((name) => [name, oneLine(given[name] ?? '').slice(0, MAX_VALUE)]))
}

/** Control characters, line ends of Unicode and direction marks become blanks: they could add a header or hide text. */
export const oneLine = (text: string) =>
  text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()

export const fillText = (template: string, values: Values): string =>
  template.replace(PLACE, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : whole))

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`

/** One narrow column that every mail program shows alike. */
const page = (subject: string, body: string, site: string) =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>` +
  '<body style="margin:0;background:#f5f6f8;padding:24px">' +
  '<div style="max-width:560px;margin:0 auto;background:#ffffff;border:1px solid #e8ebef;border-radius:8px;padding:24px;' +
  'font:14px/22px -apple-system,Segoe UI,PingFang SC,Microsoft YaHei,sans-serif;color:#1b2230">' +
  `<div style="font-weight:600;margin:0 0 16px">${escapeHtml(site)}</div>` +
  body
    .split(/\n{2,}/)
    .map(paragraph)
    .join('') +
  '</div></body></html>'

/** Fills a text. `values` are checked ones beside `site`. */
export const render = (template: { subject: string; body: string }, values: Values): Rendered => {
  const subject = oneLine(fillText(template.subject, values))
  // A variable that stands alone in its paragraph may be empty.
  const text = fillText(template.body, values).trim()
  return { subject, text, html: page(subject, text, values.site ?? '') }
}
