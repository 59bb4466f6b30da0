import { defineConfig } from 'vitest/config'
import { LongestFirst } from './bin/lib/longest-first.ts'

const outside = ['**/node_modules/**', '**/dist/**']
/** Tests that start real engines: slower, and few of them side by side. */
const engines = [
  'edge/test/**/*.test.ts',
  'dns/test/**/*.test.ts',
  'apps/chdb/**/*.test.ts',
  'apps/launcher/**/*.test.ts',
  'apps/agent/**/*.test.ts',
  'packages/embedded/**/*.test.ts',
]

/** Components, most of them in jsdom. */
const screens = ['apps/console/**/*.test.{ts,tsx}', 'packages/ui/**/*.test.{ts,tsx}']
// Limits against what hangs, not measures: the machine may be busy with other work.
const unit = { testTimeout: 90_000, hookTimeout: 120_000 }

/** The whole product, broken in many ways: these kill, cut off, fill up and measure, so they have the machine to themselves. */
const faults = ['away', 'backup', 'faults', 'low-disk', 'lying', 'newcomer', 'refused'].map(
  (name) => `e2e/${name}.e2e.ts`,
)
const wholeProduct = { globalSetup: 'e2e/global-setup.ts', testTimeout: 300_000, hookTimeout: 240_000 }

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['apps/**/*.test.ts', 'packages/**/*.test.ts', 'bin/**/*.test.ts'],
          exclude: [...outside, ...engines, ...screens],
          globalSetup: 'packages/testkit/src/test-cluster.ts',
          // A file is three seconds of loading the server otherwise. What tests change of the process they put back.
          isolate: false,
          ...unit,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit-dom',
          setupFiles: 'packages/ui/src/testing/style-sheets.ts',
          include: screens,
          exclude: outside,
          ...unit,
        },
      },
      {
        extends: true,
        test: { name: 'engines', include: engines, exclude: outside, testTimeout: 90_000, hookTimeout: 120_000 },
      },
      {
        extends: true,
        // Two installations side by side at most: while one waits, the other one works.
        test: {
          name: 'browser',
          include: ['e2e/**/*.{e2e,test}.ts'],
          exclude: [...outside, ...faults],
          ...wholeProduct,
        },
      },
      {
        extends: true,
        test: { name: 'faults', include: faults, exclude: outside, fileParallelism: false, ...wholeProduct },
      },
    ],
  },
})
