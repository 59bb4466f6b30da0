// Started by cluster.test.ts: opens a cluster, prints its pid and stays until it is killed.
import { openCluster } from '../cluster.ts'

const [, , dir = '', runDir = ''] = process.argv
const cluster = await openCluster({ dir, runDir })
process.stdout.write(`${cluster.pid}\n`)
setInterval(() => {}, 1_000)
