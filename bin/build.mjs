/** `npm run build`: bundles and the console into dist/, when their sources have changed. */
import { dirname } from 'node:path'
import { buildStale } from './lib/bundle.mjs'
import { runMain } from './lib/progress.mjs'

await runMain(() => buildStale(dirname(import.meta.dirname)))
