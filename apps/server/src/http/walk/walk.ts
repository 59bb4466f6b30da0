/** What a walk through all operations consists of. */
import type { OperationId } from '@tidegate/contract/operations/index'
import type { Reply, TestServer } from '../../testing/app.ts'
import type { WechatPeer } from '../../testing/wechat-peer.ts'

export type Body = Record<string, unknown>

export interface Step {
  id: OperationId
  /** Whose login calls; the administrator's unless said otherwise. */
  as?: 'admin' | 'user' | 'monitor'
  /** Who the trace names, where that is not who calls. */
  actor?: { kind: 'anonymous' | 'user'; name: string }
  /** Path parameters, query or body. */
  input?: () => Body | Promise<Body>
  /** A file that goes with the input, as a form. */
  file?: () => Uint8Array
  /** Which states a write leaves in its trace: neither when it changes none of its own. */
  trace?: 'none' | 'before' | 'after' | 'both'
  keep?: (reply: Reply) => void | Promise<void>
}

/** What the steps share. */
export interface Walk {
  server: () => TestServer
  /** Ids that earlier steps were given. */
  got: Record<string, number>
  /** Keeps the answer's `id` under a name. */
  keepId: (name: string) => (reply: Reply) => void
  /** A text that may stand only in the answer of the operation named beside it; null: in none. */
  secret: (text: string, allowedIn: OperationId | null) => void
  /** The administrator's token from now on. */
  setToken: (token: string) => void
  /** The same for the customer's. */
  setCustomerToken: (token: string) => void
  /** And for the monitoring token. */
  setMonitorToken: (token: string) => void
  /** Address of a server of somebody else, which answers `{}` to everything. */
  elsewhere: () => string
  /** A license file that may be uploaded. */
  license: () => string
  /** The simulator of WeChat that the server calls. */
  wechat: () => WechatPeer
  /** A certificate with its key for walk.example. */
  pair: () => { certPem: string; keyPem: string }
}

export type Steps = (walk: Walk) => Step[]

export const PASSWORDS = { second: 'second-Password2', third: 'third-Password3' } as const

/** The operator's application at WeChat. */
export const WECHAT_APP = { appid: 'wx0123456789abcdef', secret: 'walking-AppSecret' } as const
