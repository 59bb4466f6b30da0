/** One agent per node folder. A lock left by a killed agent is taken over. */
import { join } from 'node:path'
import { z } from 'zod'
import { isAlive, startTimeOf } from './engine/proc.ts'
import { readIfExists, writeFileAtomic } from './files.ts'

const lockFile = z.object({ pid: z.int(), startTime: z.string() })

/** Throws when another living agent holds the folder. */
export async function takeNodeDir(nodeDir: string): Promise<void> {
  const path = join(nodeDir, 'agent.lock')
  const text = await readIfExists(path)
  const held = text === undefined ? undefined : lockFile.safeParse(JSON.parse(text)).data
  if (held !== undefined && held.pid !== process.pid && (await isAlive(held))) {
    throw new Error(`another agent (pid ${held.pid}) runs on ${nodeDir}`)
  }
  const startTime = (await startTimeOf(process.pid)) ?? ''
  await writeFileAtomic(path, `${JSON.stringify({ pid: process.pid, startTime })}\n`)
}
