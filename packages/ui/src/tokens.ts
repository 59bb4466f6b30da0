/** Colours and measures of the consoles, once: the style sheet and antd's theme are both made from these. */

export type Mode = 'light' | 'dark'
export const ACCENTS = {
  blue: { fill: '#2f5bea', lifted: '#86a2ff' },
  teal: { fill: '#0e7c86', lifted: '#4cc2cc' },
  green: { fill: '#0b7a4b', lifted: '#4cc38a' },
  violet: { fill: '#6b4ee6', lifted: '#ab99ff' },
  rust: { fill: '#b3541e', lifted: '#f0965c' },
  rose: { fill: '#c0264d', lifted: '#f5809b' },
  slate: { fill: '#334155', lifted: '#a8b6cb' },
} as const
export type Accent = keyof typeof ACCENTS

export interface Palette {
  background: string
  panel: string
  sunken: string
  raised: string
  line: string
  lineStrong: string
  text: string
  textSoft: string
  textFaint: string
  header: string
  good: string
  warn: string
  warnText: string
  bad: string
  idle: string
  /** Controls that are off; never text. */
  quiet: string
  hover: string
}

export const PALETTES: Record<Mode, Palette> = {
  light: {
    background: '#f5f6f8',
    panel: '#ffffff',
    sunken: '#f7f8fa',
    raised: '#ffffff',
    line: '#e8ebef',
    lineStrong: '#d5dae1',
    text: '#1b2230',
    textSoft: '#566072',
    textFaint: '#646e80',
    header: '#111827',
    good: '#12805c',
    warn: '#b76e00',
    warnText: '#8f5600',
    bad: '#c9302c',
    idle: '#646e80',
    quiet: '#98a1b0',
    hover: '#f5f7fb',
  },
  dark: {
    background: '#0c0f14',
    panel: '#151a22',
    sunken: '#11161d',
    raised: '#1b222c',
    line: '#232b37',
    lineStrong: '#344051',
    text: '#e4e8ef',
    textSoft: '#a9b3c2',
    textFaint: '#939eb0',
    header: '#0a0c11',
    good: '#43ba8f',
    warn: '#e0a33b',
    warnText: '#e0a33b',
    bad: '#f37a72',
    idle: '#8a96a8',
    quiet: '#4d596b',
    hover: '#1a212b',
  },
}

/** Colours of chart series: the accent leads, grey compares, red is for 5xx alone. */
export const chartColors = (mode: Mode, accent: Accent) => ({
  main: mode === 'dark' ? ACCENTS[accent].lifted : ACCENTS[accent].fill,
  compare: mode === 'dark' ? '#7d899b' : '#9aa4b2',
  s2xx: mode === 'dark' ? '#2f9c78' : '#2a8f6a',
  s3xx: '#5b8def',
  s4xx: '#d99a2b',
  s5xx: mode === 'dark' ? '#e5554e' : '#c9302c',
})

export const FONT =
  'Inter, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
export const MONO = '"JetBrains Mono", "SFMono-Regular", Consolas, "DejaVu Sans Mono", monospace'

const kebab = (name: string) => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)

/** Custom properties of a mode and accent, as `--tg-…` names with their values. */
export const cssVariables = (mode: Mode, accent: Accent): Record<string, string> => {
  const { fill, lifted } = ACCENTS[accent]
  const link = mode === 'dark' ? lifted : fill
  return {
    ...Object.fromEntries(Object.entries(PALETTES[mode]).map(([k, v]) => [`--tg-${kebab(k)}`, v])),
    '--tg-accent': fill,
    '--tg-link': link,
    '--tg-mono': MONO,
    '--tg-accent-soft': `color-mix(in srgb, ${link} ${mode === 'dark' ? 16 : 9}%, transparent)`,
  }
}

/** Puts a mode and accent on an element (the document's root). Sets properties through the CSSOM, so no style rule is injected. */
export const applyTheme = (root: HTMLElement, mode: Mode, accent: Accent): void => {
  root.dataset.theme = mode
  root.style.colorScheme = mode
  for (const [name, value] of Object.entries(cssVariables(mode, accent))) root.style.setProperty(name, value)
}
