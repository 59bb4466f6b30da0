/** A real dnsdist in a directory of its own, with a small name server behind it. */
import { createSocket, type Socket } from 'node:dgram'
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BlackScope, blackKey } from '@tidegate/contract/black'
import { type BlackConfig, blackExceptions } from '@tidegate/contract/config/black'
import { dnsdistCommand } from '@tidegate/engine-files/dnsdist'
import { createBlackFile, renderBlackRules, wireName } from '@tidegate/engine-files/dnsdist-black'
import { DnsdistProcess } from '@tidegate/testkit/dnsdist'

export const TYPES = { A: 1, NS: 2, SOA: 6, TXT: 16, AAAA: 28 } as const
export type Type = keyof typeof TYPES
const BACKEND = '192.0.2.53'

export interface Answer {
  /** 0 no error, 3 no such name, 5 refused. */
  rcode: number
  answers: { type: number; ttl: number; data: Buffer }[]
  /** The SOA that came in a negative answer. */
  soa: { ttl: number } | null
}

const query = (id: number, name: string, type: Type): Buffer => {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(id, 0)
  head.writeUInt16BE(0x0100, 2)
  head.writeUInt16BE(1, 4)
  return Buffer.concat([head, wireName(blackKey(name)), Buffer.from([0, TYPES[type], 0, 1])])
}

const afterName = (message: Buffer, at: number): number => {
  for (;;) {
    const length = message[at] ?? 0
    if (length >= 0xc0) return at + 2
    if (length === 0) return at + 1
    at += length + 1
  }
}

const parse = (message: Buffer): Answer => {
  let at = afterName(message, 12) + 4
  const counts = [6, 8, 10].map((place) => message.readUInt16BE(place))
  const sections = counts.map((count) =>
    Array.from({ length: count }, () => {
      const from = afterName(message, at)
      const length = message.readUInt16BE(from + 8)
      at = from + 10 + length
      return {
        type: message.readUInt16BE(from),
        ttl: message.readUInt32BE(from + 4),
        data: message.subarray(from + 10, at),
      }
    }),
  )
  const soa = sections.flat().find((record) => record.type === TYPES.SOA)
  return { rcode: message.readUInt16BE(2) & 15, answers: sections[0] ?? [], soa: soa ? { ttl: soa.ttl } : null }
}

/** Whether the name server behind dnsdist answered. */
export const fromBackend = ({ rcode, answers }: Answer) =>
  rcode === 0 && answers.some((one) => [...one.data].join('.') === BACKEND)

/** Answers every question with one address. */
const startBackend = async (): Promise<Socket> => {
  const socket = createSocket('udp4')
  socket.on('message', (message, peer) => {
    const end = afterName(message, 12) + 4
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 30, 0, 4, ...BACKEND.split('.').map(Number)])
    const head = Buffer.from(message.subarray(0, 12))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(1, 6)
    head.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([head, message.subarray(12, end), answer]), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return socket
}

export type Entries = readonly (readonly [name: string, scope: BlackScope])[]

/** The bytes of a list's cdb file. */
export const blackFileOf = (entries: Entries, exceptions: readonly string[] = []): Buffer =>
  compiled(sorted(entries), exceptions)

/** In the order in which the database gives them. */
export const sorted = (entries: Entries): Entries =>
  entries
    .map((entry) => ({ key: blackKey(entry[0]), entry }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ entry }) => entry)

export const compiled = (entries: Entries, exceptions: readonly string[] = []): Buffer => {
  const file = createBlackFile(exceptions)
  for (const [name, scope] of entries) file.add(blackKey(name), scope)
  const records = file.take()
  const { head, tables } = file.end()
  return Buffer.concat([head, records, tables])
}

const WAIT_MS = 60_000

export class Dnsdist {
  readonly dir = mkdtempSync(join(tmpdir(), 'tgd-'))
  private backend: Socket | null = null
  private process: DnsdistProcess | null = null

  /** `file`: name of the cdb file in the directory; `rules`: others than those of the blacklist, for comparison. */
  static async start(
    config: BlackConfig,
    entries: Entries,
    options: { file?: string; rules?: (dir: string) => string } = {},
  ): Promise<Dnsdist> {
    const dnsdist = new Dnsdist(options.file ?? 'black.cdb', options.rules)
    try {
      await dnsdist.launch(config, entries)
      return dnsdist
    } catch (error) {
      await dnsdist.stop()
      throw error
    }
  }

  private constructor(
    private readonly file: string,
    private readonly rules: ((dir: string) => string) | undefined,
  ) {}

  private async launch(config: BlackConfig, entries: Entries): Promise<void> {
    this.backend = await startBackend()
    this.write(entries, blackExceptions(config))
    const rules = [
      `newServer({address="127.0.0.1:${(this.backend.address() as AddressInfo).port}"}):setUp()`,
      this.rules?.(this.dir) ?? renderBlackRules(config, join(this.dir, this.file)),
    ]
    const command = (conf: string) => dnsdistCommand(process.env.TIDEGATE_ENGINE_ROOT ?? '', conf)
    this.process = await DnsdistProcess.start(this.dir, rules, command)
  }

  get port(): number {
    return this.process?.port ?? 0
  }
  /** What it has printed. */
  get output(): string {
    return this.process?.output ?? ''
  }
  pid(): number {
    return this.process?.pid ?? 0
  }

  /** Puts a list in the place of the present one. */
  write(entries: Entries, exceptions: readonly string[] = []): void {
    this.put(blackFileOf(entries, exceptions))
  }

  /** The same with a cdb file; as a server does it: beside the old one, then renamed. */
  put(file: Uint8Array): void {
    const path = join(this.dir, this.file)
    writeFileSync(`${path}.new`, file)
    const before = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    // dnsdist tells a newer file by its time, in whole seconds.
    const later = before === undefined ? undefined : Math.floor(before / 1000) + 1
    if (later !== undefined) utimesSync(`${path}.new`, later, later)
    renameSync(`${path}.new`, path)
  }

  /** Asks over UDP; a question that is lost is an error. */
  async ask(name: string, type: Type = 'A'): Promise<Answer> {
    const socket = createSocket('udp4')
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no answer for ${name}: ${this.output}`)), WAIT_MS)
        socket.once('error', reject)
        socket.once('message', (message) => {
          clearTimeout(timer)
          resolve(parse(message))
        })
        socket.send(query(4711, name, type), this.port, '127.0.0.1')
      })
    } finally {
      socket.close()
    }
  }

  /** Looks again and again until it holds. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    await this.process?.until(holds)
  }

  /** Memory in use, bytes. */
  memory(): number {
    const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.pid()}/status`, 'utf8')) ?? []
    return Number(kb) * 1024
  }

  async stop(): Promise<void> {
    await this.process?.stop()
    await new Promise<void>((resolve) => (this.backend === null ? resolve() : this.backend.close(() => resolve())))
    rmSync(this.dir, { recursive: true, force: true })
  }
}
