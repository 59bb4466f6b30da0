/** A mail server that is not ours (npm smtp-server), on a free loopback port: keeps what it takes, and can refuse, be slow or hang up. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { selfSigned } from './certificates.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  /** As it came, headers and all. */
  raw: string
  subject: string
  /** The plain text part. */
  text: string
  secure: boolean
}

export interface SmtpPeerOptions {
  /** TLS from the first byte, after STARTTLS, or none at all. */
  tls?: 'implicit' | 'starttls' | 'none'
  user?: string
  password?: string
  /** Answer to each recipient; null = taken. */
  refuse?: (address: string) => { code: number; text: string } | null
  /** What becomes of a message: taken, answered with a code, never answered, or the connection cut. */
  onMessage?: (count: number) => 'take' | 'hang' | 'drop' | { code: number; text: string }
}

export interface SmtpPeer {
  host: string
  port: number
  /** PEM of its self-signed certificate (for `localhost`). */
  certificate: string
  mails: ReceivedMail[]
  /** Connections that said hello, so far. */
  connections(): number
  /** The next mail to the address that has not been asked for before. */
  next(address: string): Promise<ReceivedMail>
  close(): Promise<void>
}

const refusal = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code })

const decodeWords = (text: string) =>
  text
    .replace(/\r?\n\s+/g, ' ')
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, body: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(body, 'base64').toString() : quoted(body.replaceAll('_', ' ')),
    )

const quoted = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

const header = (raw: string, name: string) =>
  decodeWords(new RegExp(`^${name}: ((?:.*)(?:\\r?\\n[ \\t].*)*)`, 'im').exec(raw)?.[1] ?? '')

/** The first text/plain part, decoded. */
const plainText = (raw: string): string => {
  const at = raw.search(/^content-type: text\/plain/im)
  const part = at < 0 ? raw : raw.slice(at)
  const [head = '', ...rest] = part.split(/\r?\n\r?\n/)
  const body = rest.join('\n\n').split(/\r?\n--/)[0] ?? ''
  const encoding = /content-transfer-encoding: (\S+)/i.exec(head)?.[1]?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? quoted(body) : body
}

/** Starts it. */
export const startSmtpPeer = async (options: SmtpPeerOptions = {}): Promise<SmtpPeer> => {
  const { tls = 'implicit', user = 'sender@example.com', password = 'right-Password' } = options
  const pair = await selfSigned(['localhost'])
  const mails: ReceivedMail[] = []
  const asked = new Set<ReceivedMail>()
  const waiting: { address: string; done: (mail: ReceivedMail) => void }[] = []
  let connections = 0
  let messages = 0
  const sockets = new Set<Socket>()

  const find = (address: string) => mails.find((mail) => !asked.has(mail) && mail.to.includes(address))
  const keep = (mail: ReceivedMail) => {
    mails.push(mail)
    const index = waiting.findIndex((one) => mail.to.includes(one.address))
    if (index < 0) return
    asked.add(mail)
    waiting.splice(index, 1)[0]?.done(mail)
  }
  const server = new SMTPServer({
    secure: tls === 'implicit',
    key: pair.keyPem,
    cert: pair.certPem,
    disabledCommands: tls === 'none' ? ['STARTTLS'] : [],
    authOptional: false,
    allowInsecureAuth: tls === 'none',
    closeTimeout: 200,
    onConnect: (_session, done) => {
      connections += 1
      done()
    },
    onAuth: (auth, _session, done) =>
      auth.username === user && auth.password === password
        ? done(null, { user })
        : done(refusal({ code: 535, text: `5.7.8 wrong password ${auth.password}` })),
    onRcptTo: (address, _session, done) => {
      const refused = options.refuse?.(address.address) ?? null
      done(refused && refusal(refused))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        messages += 1
        const fate = options.onMessage?.(messages) ?? 'take'
        if (fate === 'hang') return
        if (fate === 'drop') {
          for (const socket of sockets) socket.destroy()
          return
        }
        if (fate !== 'take') return done(refusal(fate))
        const raw = Buffer.concat(chunks).toString()
        const { mailFrom, rcptTo } = session.envelope
        keep({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((one) => one.address),
          raw,
          subject: header(raw, 'subject'),
          text: plainText(raw),
          secure: session.secure,
        })
        done(null, `queued as ${messages}`)
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    host: 'localhost',
    port: (server.server.address() as AddressInfo).port,
    certificate: pair.certPem,
    mails,
    connections: () => connections,
    next: (address) => {
      const mail = find(address)
      if (!mail) return new Promise((done) => void waiting.push({ address, done }))
      asked.add(mail)
      return Promise.resolve(mail)
    },
    // Sessions are ended by the server itself: a socket torn down below a TLS handshake would end the process.
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}
