/** Browser and system of a user agent, by the names that people know them by. Order matters: later names stand in earlier ones' texts too. */
const BROWSERS = [
  ['WeChat', /\bMicroMessenger\//],
  ['QQ Browser', /\bM?QQBrowser\//],
  ['UC Browser', /\bUC(?:Browser|WEB)/],
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT|OPiOS|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Yandex Browser', /\bYaBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:(?:Headless)?Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
  ['Internet Explorer', /\b(?:MSIE |Trident\/)/],
  ['curl', /^curl\//],
  ['Wget', /^Wget\//],
] as const
const SYSTEMS = [
  ['HarmonyOS', /\b(?:OpenHarmony|HarmonyOS)\b/],
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

const named = (list: readonly (readonly [string, RegExp])[], text: string): string | undefined =>
  list.find(([, form]) => form.test(text))?.[0]

/** The browser's name without its version; undefined for one that is not known. */
export const browserOf = (userAgent: string): string | undefined => named(BROWSERS, userAgent)

/** `Chrome · Linux`; what is not known is shown as it came, shortened; '' for none. */
export const deviceOf = (userAgent: string): string => {
  const known = [browserOf(userAgent), named(SYSTEMS, userAgent)].filter((name) => name !== undefined)
  return known.length > 0 ? known.join(' · ') : userAgent.slice(0, 60)
}
