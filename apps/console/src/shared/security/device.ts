/** Browser and system of a user agent, by the names that people know them by. Order matters: later names stand in earlier ones' texts too. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const
const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

const named = (list: readonly (readonly [string, RegExp])[], text: string) =>
  list.find(([, form]) => form.test(text))?.[0]

/** `Chrome · Linux`; what is not known is shown as it came, shortened; '' for none. */
export const deviceOf = (userAgent: string): string => {
  const known = [named(BROWSERS, userAgent), named(SYSTEMS, userAgent)].filter((n) => n !== undefined)
  return known.length > 0 ? known.join(' · ') : userAgent.slice(0, 60)
}
