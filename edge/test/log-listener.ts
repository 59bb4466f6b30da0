/** The agent's side of the log socket (edge/README.md), as far as a test needs it. */
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { type LogLine, logLine } from '@tidegate/contract/node/log'
import { waitFor } from './wait.ts'

export class LogListener {
  readonly lines: LogLine[] = []
  dropped = 0
  private readonly taken = new Map<string, number>()
  private readonly sockets = new Set<Socket>()
  private server: Server | null = null

  constructor(private readonly path: string) {}

  async open(): Promise<void> {
    mkdirSync(dirname(this.path), { recursive: true })
    rmSync(this.path, { force: true })
    const server = createServer((socket) => this.serve(socket))
    this.server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.path, resolve)
    })
    chmodSync(this.path, 0o666)
  }

  async close(): Promise<void> {
    const server = this.server
    this.server = null
    for (const socket of this.sockets) socket.destroy()
    if (server !== null) await new Promise((resolve) => server.close(resolve))
  }

  /** The first line for which the test holds, waiting for it. */
  async find(test: (line: LogLine) => boolean): Promise<LogLine> {
    await waitFor('a log line', () => this.lines.some(test))
    return this.lines.find(test)!
  }

  private serve(socket: Socket): void {
    let waiting = Buffer.alloc(0)
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      waiting = Buffer.concat([waiting, chunk])
      for (;;) {
        const end = waiting.indexOf('\n')
        if (end < 0) return
        const head = waiting.subarray(0, end).toString()
        const match = /^#([0-9a-f]{32}) (\d+) (\d+) (\d+)$/.exec(head)
        if (match === null) throw new Error(`bad head: ${head}`)
        const bytes = Number(match[3])
        if (waiting.length < end + 1 + bytes) return
        this.take(match[1]!, Number(match[2]), Number(match[4]), waiting.subarray(end + 1, end + 1 + bytes).toString())
        waiting = waiting.subarray(end + 1 + bytes)
        socket.write(`${match[2]}\n`)
      }
    })
  }

  private take(worker: string, sequence: number, dropped: number, text: string): void {
    if ((this.taken.get(worker) ?? 0) >= sequence) return
    this.taken.set(worker, sequence)
    this.dropped += dropped
    for (const line of text.split('\n').slice(0, -1)) this.lines.push(logLine.parse(JSON.parse(line)))
  }
}
