/** What this program was built from; the bundler puts it in (bin/lib/bundle.mjs). */

declare const TIDEGATE_BUILD: { commit: string; time: string } | undefined

/** Commit and ISO time; empty where the program runs from its sources. */
export const BUILD: { commit: string; time: string } =
  typeof TIDEGATE_BUILD === 'undefined' ? { commit: '', time: '' } : TIDEGATE_BUILD
