/** Both languages have the same keys and placeholders, and every key is used somewhere in the console's sources. */
import { dirname } from 'node:path'
import { findLanguageFaults } from './lib/languages.mjs'

const faults = findLanguageFaults(dirname(import.meta.dirname))
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.stdout.write(faults.length === 0 ? 'both languages are complete\n' : `${faults.length} faults\n`)
process.exit(faults.length === 0 ? 0 : 1)
