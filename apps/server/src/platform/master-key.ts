/** The master key: from the environment, else `master.key` in the data directory, made at the first start. */
import { randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'

const BYTES = 32

const parse = (text: string): Buffer => {
  const trimmed = text.trim()
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64')
  if (key.length !== BYTES) throw new Error('the master key must be 32 bytes in hex or base64')
  return key
}

/** Writes the whole file first and links it into place, so that two processes starting at once agree on one key. */
const create = async (file: string): Promise<void> => {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(BYTES).toString('hex')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(temporary)
}

/** 32 bytes. `given`: TIDEGATE_MASTER_KEY, hex or base64. */
export const readMasterKey = async (dataDir: string, given: string | undefined): Promise<Buffer> => {
  if (given) return parse(given)
  const file = join(dataDir, 'master.key')
  const text = await readFile(file, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    await create(file)
    return readFile(file, 'utf8')
  })
  await chmod(file, 0o600)
  return parse(text)
}
