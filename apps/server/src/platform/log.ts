import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Paths whose values never reach a log. */
const SECRET = ['password', 'newPassword', 'token', 'keyPem', 'captcha', 'csr', 'authorization', 'secret', 'cookie']

/** JSON lines with secrets redacted, two levels deep; to stdout unless `to` says otherwise. */
export const createLog = (level: string, name: string, to: DestinationStream = pino.destination(1)): Log =>
  pino(
    {
      name,
      level,
      redact: { paths: SECRET.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[secret]' },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    to,
  )
