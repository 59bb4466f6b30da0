/** Writes docs/openapi.json (`npm run openapi`), or with `--check` tells whether it is what the table of operations makes. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '@tidegate/contract/operations/index'
import { VERSION } from '../version.ts'
import { openApi } from './openapi.ts'

const FILE = join(import.meta.dirname, '../../../../docs/openapi.json')
const made = `${JSON.stringify(openApi(operations, VERSION), null, 2)}\n`

if (!process.argv.includes('--check')) {
  await writeFile(FILE, made)
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== made) {
  process.stderr.write('docs/openapi.json is stale: npm run openapi\n')
  process.exitCode = 1
}
