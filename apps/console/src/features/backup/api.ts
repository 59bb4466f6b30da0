/** Reads of the backups' screen, and what carries files. */
import { useQuery } from '@tanstack/react-query'
import type { BackupRow, BackupState, ImportOutcome } from '@tidegate/contract/operations/backup'
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

/** Asks for a restore, of the list or of a file, under a name of our own. An answer that got lost on the way is no error: the name tells. */
export const askForRestore = async (
  proof: string,
  passphrase: string,
  what: Pick<BackupRow, 'name' | 'place'> | File,
  request: string,
): Promise<void> => {
  const about = { proof, passphrase, request }
  try {
    if (what instanceof File) await callWithFile('config.import', about, what, { long: true })
    else await call('backup.restore', { ...about, name: what.name, place: what.place }, { long: true })
  } catch (error) {
    if (!isLost(error)) throw error
  }
}

/** `missing`: the server knows nothing of it; `silent`: it does not answer now. */
export type Progress = ImportOutcome | 'missing' | 'silent'

/** How a restore goes. No login is needed: it may have been in what was replaced. */
export const restoreProgress = async (request: string): Promise<Progress> => {
  try {
    return (await call('backup.outcome', { request }, { keep: true, quiet: true })).data
  } catch (error) {
    return error instanceof ApiError && error.failure.error === 'not_found' ? 'missing' : 'silent'
  }
}
