/** `npm run arrows`: imports must follow the folders' arrows (docs/architecture.md). */
import { dirname } from 'node:path'
import { findWrongImports } from './lib/arrows.mjs'

const wrong = findWrongImports(dirname(import.meta.dirname))
for (const { file, specifier, why } of wrong) process.stderr.write(`${file}: ${specifier}: ${why}\n`)
process.stdout.write(wrong.length === 0 ? 'all imports follow the arrows\n' : `${wrong.length} wrong imports\n`)
process.exit(wrong.length === 0 ? 0 : 1)
