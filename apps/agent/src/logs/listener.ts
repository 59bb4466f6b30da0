/** The log socket: the engine's workers connect, send blocks, and get each number back once the block is on disk. */
import { chmod, chown, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import type { Owner } from '../engine/layout.ts'
import { errorText, type Log } from '../log.ts'
import { readBlocks } from './block.ts'
import type { Intake } from './intake.ts'

export type LogListener = Readonly<{ close: () => Promise<void> }>

/** Listens at `path` (mode 0600, owned by `owner` when given). Rejects when it cannot. */
export async function listenForLogs(
  path: string,
  owner: Owner | undefined,
  intake: Intake,
  log: Log,
): Promise<LogListener> {
  const open = new Set<Socket>()
  const serve = async (socket: Socket) => {
    open.add(socket)
    try {
      for await (const block of readBlocks(socket)) {
        await intake.accept(block)
        socket.write(`${block.seq}\n`)
      }
    } catch (error) {
      // The worker sends the block again on a new connection.
      log.warn('log_connection_failed', { error: errorText(error) })
    } finally {
      open.delete(socket)
      socket.destroy()
    }
  }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    void serve(socket)
  })
  await rm(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  await chmod(path, 0o600)
  if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
