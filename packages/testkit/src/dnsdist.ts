/** A real dnsdist with rules of a test's own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freeDnsPort } from './ports.ts'

const WAIT_MS = 60_000

/** How the program is started with this file: see packages/engine-files. */
export type DnsdistCommand = (conf: string) => { file: string; args: readonly string[]; env: NodeJS.ProcessEnv }

export class DnsdistProcess {
  /** What it has printed. */
  output = ''

  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  /** Resolves when it listens. `dir`: where it runs and its file is written; `rules`: lines of its language. */
  static async start(dir: string, rules: readonly string[], command: DnsdistCommand): Promise<DnsdistProcess> {
    const port = await freeDnsPort()
    const conf = join(dir, 'dnsdist.conf')
    writeFileSync(conf, [`setLocal("127.0.0.1:${port}")`, 'setSecurityPollSuffix("")', ...rules].join('\n'))
    const { file, args, env } = command(conf)
    const child = spawn(file, args, { cwd: dir, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    const running = new DnsdistProcess(port, child)
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        running.output += chunk.toString()
      })
    try {
      await running.until(() => running.output.includes('Listening on'))
      return running
    } catch (error) {
      await running.stop()
      throw error
    }
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** Looks again and again until it holds. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    const end = Date.now() + WAIT_MS
    while (!(await holds())) {
      if (this.child.exitCode !== null) throw new Error(`dnsdist ended: ${this.output}`)
      if (Date.now() > end) throw new Error(`waited too long: ${this.output}`)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const ended = new Promise((resolve) => this.child.once('exit', resolve))
    this.child.kill('SIGKILL')
    await ended
  }
}
