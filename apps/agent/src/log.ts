/** Structured log: one JSON object a line on the given stream. Callers never pass keys, tokens or bodies. */
export type LogFields = Record<string, string | number | boolean | null | undefined | readonly string[]>
export type Log = Readonly<{
  info: (event: string, fields?: LogFields) => void
  warn: (event: string, fields?: LogFields) => void
  error: (event: string, fields?: LogFields) => void
}>

/** Makes a log that writes lines to `write` (process.stdout in production). */
export function createLog(write: (line: string) => void): Log {
  const at = (level: string) => (event: string, fields?: LogFields) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`)
  return Object.freeze({ info: at('info'), warn: at('warn'), error: at('error') })
}

/** Short text of anything thrown, with the code of system errors. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  const cause = error.cause === undefined ? '' : ` (${errorText(error.cause)})`
  return `${code}${error.message}${cause}`.slice(0, 1000)
}
