/** Why a cluster could not be opened: stable for programs, the message is for people. */
export type ClusterErrorCode =
  | 'no-binaries'
  | 'not-writable'
  | 'disk-full'
  | 'port-in-use'
  | 'wrong-version'
  | 'no-runner'
  | 'busy'
  | 'start-failed'

/** A cluster could not be opened. The message names the folder or port and never contains a password. */
export class ClusterError extends Error {
  readonly code: ClusterErrorCode
  constructor(code: ClusterErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ClusterError'
    this.code = code
  }
}
