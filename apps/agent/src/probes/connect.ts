/** Whether a port of another machine takes connections, as a visitor would find out. */
import { connect } from 'node:net'
import type { ProbeError } from '@tidegate/contract/monitor'

export type Probed = Readonly<{ ms: number; error: ProbeError | '' }>

const REASONS: Readonly<Record<string, ProbeError>> = {
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
}

const reasonOf = (error: NodeJS.ErrnoException): ProbeError => REASONS[error.code ?? ''] ?? 'other'

/** Opens a TCP connection and closes it again. `host`: name or address; the time of finding the name counts. Never rejects. */
export function probePort(host: string, port: number, timeoutMs: number): Promise<Probed> {
  const begun = performance.now()
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (error: ProbeError | '') => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ ms: Math.round(performance.now() - begun), error })
    }
    // Not the socket's own: that one begins anew with each address of a name.
    const timer = setTimeout(() => end('timeout'), timeoutMs)
    socket.once('connect', () => end(''))
    // What comes after the end is nobody's concern.
    socket.on('error', (error) => end(reasonOf(error)))
  })
}
