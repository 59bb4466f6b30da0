import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Paths whose values never reach a log. */
const SECRET = ['password', 'newPassword', 'token', 'keyPem', 'captcha', 'csr', 'authorization', 'secret', 'cookie']

/** drizzle puts the values of a failed query behind its text; PostgreSQL's `detail` carries them too. */
const withoutValues = (message: string) => message.split('\nparams: ')[0] ?? ''
const frames = (stack = '') =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n')

/** An error and its causes without the values of queries: name, message, code, where. What is no error stays as it is. */
const plainError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  const why = cause === undefined ? {} : { cause: plainError(cause) }
  return { type: name, message: withoutValues(message), code, stack: frames(stack), ...why }
}

/** JSON lines with secrets redacted, two levels deep; to stdout unless `to` says otherwise. */
export const createLog = (level: string, name: string, to: DestinationStream = pino.destination(1)): Log =>
  pino(
    {
      name,
      level,
      redact: { paths: SECRET.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[secret]' },
      serializers: { err: plainError },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    to,
  )
