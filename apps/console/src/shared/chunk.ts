/** Parts of the console that are fetched when they are needed: a time limit, and one reload by itself after a new release. */
import { CHUNK_TIMEOUT_MS } from '@tidegate/contract/limits'
import { here } from './console.ts'
import { browserPage } from './navigation.ts'
import { storageKey } from './storage.ts'

/** A part that could not be fetched: no network, or it went with an older release. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

/** What the browsers say of a module, or of its styles, that they could not fetch. */
const BROWSERS_WORDS =
  /dynamically imported module|importing a module script failed|unable to preload|loading chunk|loading css chunk/i

export const isChunkError = (error: unknown): boolean =>
  error instanceof ChunkLoadError || (error instanceof Error && BROWSERS_WORDS.test(error.message))

/** A release's name: the address of its first script, which carries the hash of its content. */
const releaseOf = (page: Document): string | null =>
  page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null

/** The release that the server has now; null when it cannot be asked. */
const releaseThere = async (): Promise<string | null> => {
  try {
    const answer = await fetch(here.path, { cache: 'no-store', headers: { accept: 'text/html' } })
    return answer.ok ? releaseOf(new DOMParser().parseFromString(await answer.text(), 'text/html')) : null
  } catch {
    return null
  }
}

const RELOADED = storageKey('reloaded-for')

/** Reloads when the server has another release than this page, once for each; tells whether it does. */
const reloadForRelease = async (): Promise<boolean> => {
  const now = await releaseThere()
  if (now === null || now === releaseOf(document)) return false
  try {
    if (window.sessionStorage.getItem(RELOADED) === now) return false
    window.sessionStorage.setItem(RELOADED, now)
  } catch {
    // Without a memory it could reload for ever.
    return false
  }
  browserPage.reload()
  return true
}

/** Fetches a part. Rejects with ChunkLoadError after 120 s or when it cannot be had; never settles once the page is being reloaded. */
export const chunk = async <T>(load: () => Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError(`not there after ${CHUNK_TIMEOUT_MS} ms`)), CHUNK_TIMEOUT_MS)
  })
  try {
    return await Promise.race([load(), late])
  } catch (error) {
    if (await reloadForRelease()) return await new Promise<never>(() => undefined)
    throw error instanceof ChunkLoadError ? error : new ChunkLoadError(String(error), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
