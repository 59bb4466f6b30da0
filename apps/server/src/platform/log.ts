import { type Logger, pino } from 'pino'

export type Log = Logger

/** Paths whose values never reach a log. */
const SECRET = ['password', 'newPassword', 'token', 'keyPem', 'captcha', 'csr', 'authorization', 'secret', 'cookie']

/** JSON lines to stdout with secrets redacted, two levels deep. */
export const createLog = (level: string, name: string): Log =>
  pino({
    name,
    level,
    redact: { paths: SECRET.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[secret]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  })
