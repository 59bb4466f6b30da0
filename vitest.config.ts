import { defineConfig } from 'vitest/config'

const outside = ['**/node_modules/**', '**/dist/**']
/** Tests that start real engines: slower, and few of them side by side. */
const engines = [
  'edge/test/**/*.test.ts',
  'apps/chdb/**/*.test.ts',
  'apps/launcher/**/*.test.ts',
  'apps/agent/**/*.test.ts',
  'packages/embedded/**/*.test.ts',
]

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['apps/**/*.test.{ts,tsx}', 'packages/**/*.test.{ts,tsx}', 'bin/**/*.test.ts'],
          exclude: [...outside, ...engines],
          globalSetup: 'packages/testkit/src/test-cluster.ts',
          // Limits against what hangs, not measures: the machine may be busy with other work.
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: { name: 'engines', include: engines, exclude: outside, testTimeout: 90_000, hookTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.{e2e,test}.ts'],
          globalSetup: 'e2e/global-setup.ts',
          exclude: outside,
          // One whole system after another: they share the machine's two cores with a browser.
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
