/**
 * Set-up of the tests in jsdom. There antd's style sheets only cost time: jsdom lays nothing out, but each query by role asks
 * for computed styles, and jsdom goes through every rule for each of them. What hides an element stays; the rest is not parsed.
 */

/** What Testing Library asks for, and what decides whether somebody sees or can press an element. */
const KEPT = /(?:^|;)\s*((?:display|visibility|opacity|pointer-events|content)\s*:[^;]*)/g
const RULE = /([^{}]+)\{([^{}]*)\}/g

/** The sheet with only the declarations that hide or show something, and without rules that have none. */
const trimmed = (css: string): string =>
  css.replace(RULE, (_, selector: string, body: string) => {
    const kept = [...body.matchAll(KEPT)].map((match) => match[1])
    return kept.length === 0 ? '' : `${selector}{${kept.join(';')}}`
  })

if (typeof HTMLStyleElement !== 'undefined') {
  const given = new WeakMap<HTMLStyleElement, string>()
  Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
    configurable: true,
    // antd writes a sheet again when it does not read back what it wrote.
    get(this: HTMLStyleElement) {
      return given.get(this) ?? this.textContent
    },
    set(this: HTMLStyleElement, css: string) {
      given.set(this, css)
      this.textContent = trimmed(css)
    },
  })
}
