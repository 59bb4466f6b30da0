/** Reads of the backups' screen, and what carries files. */
import { useQuery } from '@tanstack/react-query'
import type { BackupRow, BackupState } from '@tidegate/contract/operations/backup'
import { call, callWithFile, download } from '../../shared/api/call.ts'
import { ApiError } from '../../shared/api/error.ts'
import { saveFile } from '../../shared/list/exports.ts'

export const BACKUPS = ['backup'] as const
const POLL_MS = 1000

export const isBusy = (state: BackupState | undefined) =>
  state?.run?.state === 'waiting' || state?.run?.state === 'running'

export const useBackupState = () =>
  useQuery({
    queryKey: [...BACKUPS, 'state'],
    queryFn: async ({ signal }) => (await call('backup.state', {}, { signal })).data,
    refetchInterval: ({ state }) => (isBusy(state.data) ? POLL_MS : false),
  })

export const useBackupSettings = () =>
  useQuery({
    queryKey: [...BACKUPS, 'settings'],
    queryFn: async ({ signal }) => (await call('backup.settings', {}, { signal })).data,
    gcTime: 0,
  })

/** Fetches a backup: the one named, or a new one of this moment, sealed with the passphrase. */
export const fetchBackup = async (
  proof: string,
  what: { passphrase: string } | Pick<BackupRow, 'name' | 'place'>,
): Promise<void> => {
  const { ticket } = await call('config.exportTicket', { proof, ...what })
  saveFile(await download('config.export', { ticket }, { long: true }))
}

/** Answers on the way that are not the server's own: a proxy gave up, or the connection broke. The work may go on. */
const LOST: readonly number[] = [0, 408, 502, 503, 504]
const isLost = (error: unknown): boolean =>
  error instanceof ApiError && error.failure.error === '' && LOST.includes(error.failure.status)

/** Asks for a restore, of the list or of a file. Answers whether the server's answer got lost, so that only its state can tell. */
export const askForRestore = async (
  proof: string,
  passphrase: string,
  what: Pick<BackupRow, 'name' | 'place'> | File,
): Promise<{ lost: boolean }> => {
  try {
    if (what instanceof File) await callWithFile('config.import', { proof, passphrase }, what, { long: true })
    else await call('backup.restore', { proof, passphrase, name: what.name, place: what.place }, { long: true })
    return { lost: false }
  } catch (error) {
    if (isLost(error)) return { lost: true }
    throw error
  }
}

export type Restored = { over: false } | { over: true; ok: boolean; error: string }

/**
 * How a restore goes. `before`: time of the last outcome when it was asked for; `lost`: nobody knows whether it was begun. A login that is not
 * known any more was in what was replaced. `error` '': the backup was not taken, and its answer is lost.
 */
export const restoreProgress = async (before: string, lost: boolean): Promise<Restored> => {
  try {
    const { data } = await call('backup.state', {}, { keep: true, quiet: true })
    const { restore, restoring } = data
    if (restoring) return { over: false }
    if (restore === null || restore.time === before)
      return lost ? { over: true, ok: false, error: '' } : { over: false }
    return { over: true, ok: restore.ok, error: restore.error }
  } catch (error) {
    const gone = error instanceof ApiError && error.failure.code === 401
    return gone ? { over: true, ok: true, error: '' } : { over: false }
  }
}
