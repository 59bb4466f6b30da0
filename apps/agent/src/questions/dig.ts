/** A question to DNS for an operator: by datagram, and by TCP when the answer does not fit (RFC 1035, 4.2; RFC 7766). */
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { getServers } from 'node:dns'
import { connect, isIPv6 } from 'node:net'
import { dnsServerOf } from '@tidegate/contract/lookups'
import { type DigAnswer, type DnsRecord, MAX_DNS_RECORDS, MAX_RECORD_CHARS } from '@tidegate/contract/node/lookups'
import type { QuestionAnswer, QuestionInput } from '@tidegate/contract/node/questions'
import {
  type Answer,
  AUTHENTIC_DATA,
  decode,
  encode,
  type Packet,
  RECURSION_DESIRED,
  streamDecode,
  streamEncode,
} from 'dns-packet'
import { type Allowances, mayReach } from '../resolve/guard.ts'
import { Fault } from './answer.ts'
import { recordData } from './dns-text.ts'

const TRY_MS = 2_500
const TRIES = 2
/** What fits through every path of today (DNS flag day 2020). */
const UDP_BYTES = 1_232

type Server = Readonly<{ host: string; port: number }>
/** What the decoder gives beyond its types: the answer's code by its name, and its flags one by one. */
type Reply = Packet & { rcode?: string; flag_tc?: boolean; flag_aa?: boolean; flag_ad?: boolean }

class DigFault extends Error {
  readonly fault: NonNullable<DigAnswer['fault']>
  constructor(fault: NonNullable<DigAnswer['fault']>) {
    super(fault)
    this.fault = fault
  }
}

interface DigDeps {
  allowed: () => Allowances
  /** The node's own resolvers, as node:dns writes them. */
  servers?: () => string[]
}

/** Never fails for what the net does: that is part of the answer. A fault `private` for a server that may not be asked. */
export const digger =
  ({ allowed, servers = getServers }: DigDeps) =>
  async ({ name, type, server }: QuestionInput<'dig'>): Promise<QuestionAnswer<'dig'>> => {
    const to = dnsServerOf(server === '' ? (servers()[0] ?? '127.0.0.1') : server)
    if (to === null) throw new Fault('failed', server)
    if (server !== '' && !mayReach(allowed(), to.host, to.host, to.port)) throw new Fault('private', server)
    const began = performance.now()
    const told = { server: isIPv6(to.host) ? `[${to.host}]:${to.port}` : `${to.host}:${to.port}`, tcp: false }
    try {
      const question = questionOf(name, type)
      let reply = await byUdp(to, question)
      if (reply.flag_tc === true) {
        told.tcp = true
        reply = await byTcp(to, question)
      }
      return { ...told, ms: since(began), fault: null, ...contentOf(reply) }
    } catch (error) {
      if (!(error instanceof DigFault)) throw error
      return { ...told, ms: since(began), fault: error.fault, ...NOTHING }
    }
  }

const NOTHING = { status: '', authoritative: false, authenticated: false, answers: [], authority: [] }
const since = (began: number) => Math.round((performance.now() - began) * 10) / 10

const questionOf = (name: string, type: QuestionInput<'dig'>['type']): Packet => ({
  type: 'query',
  id: randomInt(65_536),
  flags: RECURSION_DESIRED | AUTHENTIC_DATA,
  questions: [{ name: name === '' ? '.' : name, type }],
  additionals: [
    {
      type: 'OPT',
      name: '.',
      udpPayloadSize: UDP_BYTES,
      extendedRcode: 0,
      ednsVersion: 0,
      flags: 0,
      flag_do: false,
      options: [],
    },
  ],
})

const contentOf = (reply: Reply) => ({
  status: reply.rcode ?? '',
  authoritative: reply.flag_aa === true,
  authenticated: reply.flag_ad === true,
  answers: recordsOf(reply.answers),
  authority: recordsOf(reply.authorities),
})

const recordsOf = (answers: readonly Answer[] = []): DnsRecord[] =>
  answers.slice(0, MAX_DNS_RECORDS).flatMap((answer) =>
    // What belongs to the transport is no record of the name.
    answer.type === 'OPT'
      ? []
      : [
          {
            name: answer.name === '.' ? '.' : `${answer.name}.`,
            type: answer.type,
            ttl: ('ttl' in answer && answer.ttl) || 0,
            data: recordData(answer).slice(0, MAX_RECORD_CHARS),
          },
        ],
  )

const belongs = (reply: Reply, question: Packet): boolean => reply.type === 'response' && reply.id === question.id

const decoded = (read: () => Packet): Reply => {
  try {
    return read() as Reply
  } catch {
    throw new DigFault('malformed')
  }
}

/** Tells late and foreign answers by their number; the socket takes datagrams from this server alone. */
const byUdp = async ({ host, port }: Server, question: Packet): Promise<Reply> => {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  const message = encode(question)
  try {
    return await new Promise<Reply>((resolve, reject) => {
      let tries = 0
      const send = () => {
        tries++
        if (tries > TRIES) return reject(new DigFault('timeout'))
        socket.send(message)
        timer = setTimeout(send, TRY_MS)
      }
      let timer = setTimeout(() => reject(new DigFault('timeout')), TRY_MS)
      socket.on('error', () => reject(new DigFault('unreachable')))
      socket.on('message', (bytes) => {
        try {
          const reply = decoded(() => decode(bytes))
          if (!belongs(reply, question)) return
          clearTimeout(timer)
          resolve(reply)
        } catch (error) {
          clearTimeout(timer)
          reject(error)
        }
      })
      socket.on('close', () => clearTimeout(timer))
      socket.connect(port, host, () => {
        clearTimeout(timer)
        send()
      })
    })
  } finally {
    socket.close()
  }
}

const byTcp = ({ host, port }: Server, question: Packet): Promise<Reply> =>
  new Promise<Reply>((resolve, reject) => {
    const socket = connect({ host, port })
    const end = (act: () => void) => {
      socket.destroy()
      act()
    }
    // For all of it: a server that sends byte by byte holds nobody up.
    const timer = setTimeout(() => end(() => reject(new DigFault('timeout'))), TRY_MS)
    socket.on('error', () => end(() => reject(new DigFault('unreachable'))))
    socket.on('close', () => {
      clearTimeout(timer)
      reject(new DigFault('malformed'))
    })
    socket.on('connect', () => socket.write(streamEncode(question)))
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length < 2 || bytes.length < bytes.readUInt16BE(0) + 2) return
      end(() => {
        try {
          const reply = decoded(() => streamDecode(bytes))
          if (belongs(reply, question)) resolve(reply)
          else reject(new DigFault('malformed'))
        } catch (error) {
          reject(error)
        }
      })
    })
  })
