/** The least that speaks HTTP/1.1 over one TLS connection: many thousands of them in one process must cost next to nothing. */
import { connect, type SecureContext, type TLSSocket } from 'node:tls'

export interface Reply {
  status: number
  body: Buffer
}

interface Waiting {
  resolve(reply: Reply): void
  reject(error: Error): void
}

const HEAD_END = Buffer.from('\r\n\r\n')
const head = (method: string, path: string, bytes: number) =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: gzip\r\n${
    bytes > 0 ? `content-type: application/json\r\ncontent-length: ${bytes}\r\n` : ''
  }\r\n`

/** Opens a connection; `secureContext` holds the node's certificate. Rejects when the handshake fails. */
export const openSocket = (port: number, secureContext: SecureContext): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', secureContext }, () => {
      socket.off('error', reject)
      resolve(socket)
    })
    socket.setNoDelay(true)
    socket.once('error', reject)
  })

/** One request after the other on a connection; those that come meanwhile wait. `onLost`: the connection ended, with an error or without. */
export const createWire = (socket: TLSSocket, onLost: (error: Error) => void) => {
  const queue: (Waiting & { text: string })[] = []
  let got: Buffer = Buffer.alloc(0)
  let current: Waiting | undefined
  const next = () => {
    if (current) return
    const call = queue.shift()
    if (!call) return
    current = call
    socket.write(call.text)
  }
  const lost = (error: Error) => {
    current?.reject(error)
    for (const { reject } of queue.splice(0)) reject(error)
    onLost(error)
  }
  socket.on('error', lost)
  socket.on('close', () => lost(new Error('the server closed a connection')))
  socket.on('data', (chunk: Buffer) => {
    got = got.length === 0 ? chunk : Buffer.concat([got, chunk])
    const end = got.indexOf(HEAD_END)
    if (end < 0) return
    const top = got.toString('latin1', 0, end)
    const bytes = Number(/content-length: (\d+)/i.exec(top)?.[1] ?? 0)
    const from = end + HEAD_END.length
    if (got.length < from + bytes) return
    const reply = { status: Number(top.slice(9, 12)), body: got.subarray(from, from + bytes) }
    got = got.subarray(from + bytes)
    const done = current
    current = undefined
    done?.resolve(reply)
    next()
  })
  return {
    call: (method: 'GET' | 'POST', path: string, body?: object) =>
      new Promise<Reply>((resolve, reject) => {
        const json = body === undefined ? '' : JSON.stringify(body)
        queue.push({ text: head(method, path, Buffer.byteLength(json)) + json, resolve, reject })
        next()
      }),
  }
}

/** Asks for a stream and hands over its lines as they come (the frames of HTTP's chunks among them). */
export const readStream = (socket: TLSSocket, path: string, onLine: (text: string) => void): void => {
  let rest = ''
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) onLine(text)
  })
  socket.write(head('GET', path, 0))
}
