import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { writeWhole } from './secrets.ts'

/** The port that was written to the file last time; undefined when there is none or somebody else listens on it by now. */
export async function rememberedPort(file: string, host: string): Promise<number | undefined> {
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (!Number.isInteger(port) || port <= 0 || port > 65_535) return undefined
  return (await isFree(port, host)) ? port : undefined
}

export function rememberPort(file: string, port: number): void {
  writeWhole(file, String(port))
}

async function isFree(port: number, host: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
