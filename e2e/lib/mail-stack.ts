/** An installation that trusts a mail server of the test's own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stack } from '../stack.ts'
import { type MailSink, startMailSink } from './mail.ts'

export interface MailStack {
  stack: Stack
  sink: MailSink
  destroy(): Promise<void>
}

/** Without a local node. `env`: more of the installation's environment. */
export const startMailStack = async (env: Record<string, string> = {}): Promise<MailStack> => {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-mail-'))
  const sink = await startMailSink()
  const clear = async () => {
    await sink.close()
    rmSync(folder, { recursive: true })
  }
  try {
    const stack = await Stack.startControlPlane({ env: { ...(await sink.environment(folder)), ...env } })
    const destroy = async () => {
      await stack.destroy()
      await clear()
    }
    return { stack, sink, destroy }
  } catch (error) {
    await clear()
    throw error
  }
}
