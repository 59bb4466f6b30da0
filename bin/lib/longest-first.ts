import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take much longer than others of their stage; a clean checkout does not know that, and goes by size. */
const LONG = [
  'e2e/screens.e2e.ts',
  'e2e/browser.e2e.ts',
  'e2e/frame.e2e.ts',
  'src/modules/cert/orders.test.ts',
  'src/modules/identity/flood.test.ts',
  'src/commands.test.ts',
  'src/modules/usage/reconcile.test.ts',
  'src/http/operations.test.ts',
]

/** Begins with the longest, so that none of them is left running alone at the end while other workers have nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(name))
      return at < 0 ? LONG.length : at
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
