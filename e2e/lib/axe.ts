/** What axe finds fault with on a page. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Rules that are broken, each with the first places; empty when there are none. */
export const axe = async (page: Page): Promise<[string, string[]][]> => {
  const { violations } = await new AxeBuilder({ page })
    // The other way opens a page of its own in the same context, which the watch for faults does not survive.
    .setLegacyMode(true)
    // Every rule is run; only what is right is not described element by element.
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations.map((v) => [v.id, v.nodes.map((n) => n.target.join(' ')).slice(0, 3)])
}
