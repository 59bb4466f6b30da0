import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { findWrongImports, reasonAgainst } from '../lib/arrows.mjs'

it.each([
  ['apps/agent/src/a.ts', 'apps/server/src/b.ts', /an app/],
  ['apps/agent/src/a.ts', 'packages/node-config/src/b.ts', /may not import/],
  ['packages/contract/src/a.ts', 'packages/ui/src/b.ts', /may not import/],
  ['apps/server/src/a.ts', 'packages/testkit/src/b.ts', /may not import/],
  ['apps/server/src/platform/a.ts', 'apps/server/src/modules/site/index.ts', /no business/],
  ['apps/server/src/modules/site/a.ts', 'apps/server/src/modules/node/service.ts', /index\.ts/],
  ['apps/server/src/modules/site/a.ts', 'apps/server/src/modules/publish/index.ts', /withConfigChange/],
  ['apps/server/src/http/a.ts', 'apps/server/src/modules/site/service.ts', /index\.ts/],
  ['apps/console/src/features/site/a.tsx', 'apps/console/src/features/node/b.tsx', /each other/],
  ['apps/console/src/shared/a.ts', 'apps/console/src/features/node/b.tsx', /shares/],
])('refuses %s -> %s', (file, target, why) => {
  expect(reasonAgainst(file, target)).toMatch(why)
})

it.each([
  ['apps/agent/src/a.ts', 'packages/contract/src/node/config.ts'],
  ['apps/server/src/a.test.ts', 'packages/testkit/src/database.ts'],
  ['apps/server/src/main.ts', 'apps/server/src/modules/publish/index.ts'],
  ['apps/server/src/modules/site/a.ts', 'apps/server/src/modules/node/index.ts'],
  ['apps/server/src/modules/site/a.ts', 'apps/server/src/modules/site/deep/b.ts'],
  ['apps/console/src/features/site/a.tsx', 'apps/console/src/features/site/b.tsx'],
  ['e2e/a.test.ts', 'apps/server/src/main.ts'],
])('lets %s -> %s pass', (file, target) => {
  expect(reasonAgainst(file, target)).toBeUndefined()
})

it('finds wrong imports of every kind in real files: types, re-exports, dynamic ones, JSX beside them', () => {
  const root = mkdtempSync(join(tmpdir(), 'tidegate-arrows-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write('packages/ui/package.json', '{"name":"@tidegate/ui"}')
  write('apps/server/package.json', '{"name":"@tidegate/server"}')
  write('apps/agent/package.json', '{"name":"@tidegate/agent"}')
  write('apps/agent/src/type.ts', "import type { A } from '@tidegate/server/a'\nexport const a: A = 1")
  write('apps/agent/src/again.ts', "export * from '@tidegate/ui/table'")
  write('apps/agent/src/later.ts', "export const late = () => import('../../server/src/a.ts')")
  write('packages/ui/src/x.tsx', "import { a } from '@tidegate/agent/type'\nexport const x = <p>{a}</p>")
  write('apps/server/src/a.ts', 'export type A = number')
  const found = findWrongImports(root).map(({ file }: { file: string }) => file)
  rmSync(root, { recursive: true })
  expect(found.sort()).toEqual([
    'apps/agent/src/again.ts',
    'apps/agent/src/later.ts',
    'apps/agent/src/type.ts',
    'packages/ui/src/x.tsx',
  ])
})
