import { createRequire } from 'node:module'

/** One connection of the engine; only one statement at a time may run on it. */
export type Handle = { readonly opaque: unique symbol }

export interface QueryOutcome {
  bytes: Uint8Array
  elapsed: number
  rowsRead: number
  bytesRead: number
}

export interface InsertOutcome {
  rowsWritten: number
  bytesWritten: number
  elapsed: number
}

/**
 * The part of chdb's addon that is used. It is called without chdb's own wrapper because parameters arrive in the
 * engine's text form over HTTP, and the wrapper would escape them a second time.
 */
export interface Native {
  CreateConnection(path: string, args: string[]): Handle
  CloseConnection(handle: Handle): void
  /** Runs off the event loop. With `params` never while another call with `params` is running. */
  QueryAsyncConnection(
    handle: Handle,
    sql: string,
    format: string,
    params?: Record<string, string>,
  ): Promise<QueryOutcome>
  /** `prefix` ends with `FORMAT <name>`; the buffer must not change until the promise settles. */
  InsertRawAsyncConnection(handle: Handle, prefix: string, rows: Buffer, countLines: boolean): Promise<InsertOutcome>
}

/** Loads the addon of this platform out of chdb's own dependencies. */
export function loadNative(): Native {
  const fromChdb = createRequire(createRequire(import.meta.url).resolve('chdb'))
  const suffix = process.platform === 'linux' ? '-gnu' : ''
  return fromChdb(`@chdb/lib-${process.platform}-${process.arch}${suffix}`) as Native
}
