/** Writes docs/openapi.json; a test tells when it is stale. Run by `npm run openapi`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '@tidegate/contract/operations/index'
import { VERSION } from '../version.ts'
import { openApi } from './openapi.ts'

export const OPENAPI_FILE = join(import.meta.dirname, '../../../../docs/openapi.json')
export const openApiText = () => `${JSON.stringify(openApi(operations, VERSION), null, 2)}\n`

if (process.argv[1] === import.meta.filename) await writeFile(OPENAPI_FILE, openApiText())
