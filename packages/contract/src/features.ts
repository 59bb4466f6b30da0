/**
 * What an installation sells, links and has installed (specification, section 6). The page config carries it; the console leaves out menu entries of what is
 * off, and the server refuses the operations that belong to it.
 */
import type { z } from 'zod'
import type { modeFlags } from './mode-flags.ts'

/** Flags that a menu entry may ask for in `meta.custom`: the entry is listed while the flag counts above 0. */
export const CUSTOM_FLAGS = ['rewrite', 'force', 'dns-rewrite', 'other-url', 'ai_waf'] as const
export type CustomFlag = (typeof CUSTOM_FLAGS)[number]

/** Flags of the installation's mode: 176 = the URL-forwarding module is installed, 179 = the stream module; `tw` can be asked for like a custom flag. */
export const MODE_FLAGS = ['176', '179', 'tw'] as const
export type ModeFlag = (typeof MODE_FLAGS)[number]

export type Feature = CustomFlag | ModeFlag

/** The screens of the modules 176 and 179, in whichever console's menu they stand. */
export const MODULE_OF_PATH: Readonly<Record<string, ModeFlag>> = {
  '/cdn/site/rewrite': '176',
  '/cdn/site/stream': '179',
  '/cdn/site/stream-monitor': '179',
}

/** Members of the page config that count. */
export interface PageFlags {
  rewrite: number
  force: number
  ai_waf: number
  dns_rewrite: object | null
  otherSite: { siteUrl: string } | null
  mode: z.output<typeof modeFlags>
}

/** How much each flag counts. What is linked counts 1 while the link is there. */
export const featureCounts = (page: PageFlags): Record<Feature, number> => ({
  rewrite: page.rewrite,
  force: page.force,
  ai_waf: page.ai_waf,
  'dns-rewrite': page.dns_rewrite === null ? 0 : 1,
  'other-url': page.otherSite === null || page.otherSite.siteUrl === '' ? 0 : 1,
  '176': page.mode['176'],
  '179': page.mode['179'],
  tw: page.mode.tw,
})

/** Whether every one of these is on. Unknown names are off. */
export const featuresOn = (page: PageFlags, wanted: readonly string[]): boolean => {
  const counts: Readonly<Record<string, number>> = featureCounts(page)
  return wanted.every((name) => (Object.hasOwn(counts, name) ? (counts[name] ?? 0) > 0 : false))
}
