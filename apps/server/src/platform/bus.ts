/** LISTEN/NOTIFY between the processes of the control plane. A notice may be lost with its connection: every listener also has a timer. */
import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Log } from './log.ts'

/** Channels and what their payload is. */
export interface BusEvents {
  /** Scope that has revisions to publish. */
  config_pending: string
  /** `scope revision`: a revision was published. */
  config_published: string
  /** `scope revision`: nodes answered up to this revision. */
  push_feedback: string
  /** `node id`: a question for a node. */
  node_question: string
  /** Id of a question that was answered. */
  node_answer: string
  /** Node id that was revoked. */
  node_revoked: string
  /** Key of a setting that was changed. */
  setting_changed: string
  /** Key of a runtime variable that was changed. */
  variable_changed: string
  /** Id of a restore that is about to begin: every process of the control plane ends. */
  restoring: string
}
export type Channel = keyof BusEvents
const CHANNELS: Channel[] = [
  'config_pending',
  'config_published',
  'push_feedback',
  'node_question',
  'node_answer',
  'node_revoked',
  'setting_changed',
  'variable_changed',
  'restoring',
]

export interface Bus {
  on(channel: Channel, listener: (payload: string) => void): () => void
  /** Called each time the connection was lost and is back: what happened between may have been missed. */
  onResync(listener: () => void): () => void
  close(): Promise<void>
}

const RETRY_MS = 500

/** Opens the bus; keeps one connection and reconnects for ever. */
export const openBus = async (url: string, log: Log): Promise<Bus> => {
  const events = new EventEmitter()
  events.setMaxListeners(0)
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const next = new pg.Client({ connectionString: url, application_name: 'tidegate-bus' })
    next.on('error', (error) => log.warn({ err: error.message }, 'bus connection lost'))
    next.on('end', () => {
      if (!closed && client === next) schedule()
    })
    next.on('notification', (n) => events.emit(n.channel, n.payload ?? ''))
    await next.connect()
    for (const channel of CHANNELS) await next.query(`LISTEN ${channel}`)
    client = next
  }
  const schedule = () => {
    client = undefined
    timer = setTimeout(() => {
      connect()
        .then(() => events.emit('resync'))
        .catch(schedule)
    }, RETRY_MS)
  }
  const subscribe = (name: string, listener: (payload: string) => void) => {
    events.on(name, listener)
    return () => void events.off(name, listener)
  }
  await connect()
  return {
    on: (channel, listener) => subscribe(channel, listener),
    onResync: (listener) => subscribe('resync', listener),
    close: async () => {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
