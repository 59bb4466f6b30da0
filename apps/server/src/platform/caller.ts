/** Who calls, and the form of handlers. */
import type { Readable } from 'node:stream'
import type { ConsoleId, Lang } from '@tidegate/contract/enums'
import type { InputOf, OperationId, OutputOf } from '@tidegate/contract/operations/index'

/** The administrator behind a login in another's place. */
export interface ActingBy {
  kind: 'impersonation' | 'preview'
  id: number
  name: string
}

export interface Caller {
  /** `user` = a customer; `monitor` = who holds the monitoring token; `system` = a command at the machine itself. */
  kind: 'anonymous' | 'admin' | 'user' | 'monitor' | 'system'
  /** 0 for anonymous, monitor and system. */
  id: number
  name: string
  superAdmin: boolean
  permissions: ReadonlySet<string>
  /** Paths of screens that are taken away from this account. */
  unvalidModel: readonly string[]
  /** Id of the session, 0 for none. */
  sessionId: number
  console: ConsoleId
  /** The caller is a program with a key of this account. */
  apiKey?: boolean
  /** Scheme, host and port that the request was sent to. */
  origin?: string
  /** null: the account's own login. */
  acting: ActingBy | null
  lang: Lang
  ip: string
  userAgent: string
  requestId: string
}

/** Answer of an operation of kind `image`. */
export interface ImageBody {
  type: string
  body: Buffer
}

/** Answer of an operation of kind `file`: saved under `name` by the caller's browser. */
export interface FileBody {
  type: string
  name: string
  /** Bytes; undefined: made while it is sent, so nobody knows yet. */
  size?: number
  body: Readable
}

type StreamIds = 'push.watch'
type ImageIds = 'captcha'
type FileIds = 'export.download' | 'config.export' | 'black.export' | 'black.compiled'
type Answer<Id extends OperationId> = Id extends StreamIds
  ? AsyncIterable<OutputOf<Id>>
  : Id extends ImageIds
    ? ImageBody
    : Id extends FileIds
      ? FileBody
      : OutputOf<Id>

/** A handler authorizes what the table cannot know, runs one transaction, presents. `signal` ends with the client's connection. */
export type Handler<Id extends OperationId> = (
  input: InputOf<Id>,
  caller: Caller,
  signal: AbortSignal,
) => Promise<Answer<Id>>
export type Handlers<Ids extends OperationId> = { [Id in Ids]: Handler<Id> }
export type AllHandlers = Handlers<OperationId>
