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

export const uploadBackup = (proof: string, passphrase: string, file: File) =>
  callWithFile('config.import', { proof, passphrase }, file, { long: true })

export type Restored = { over: false } | { over: true; ok: boolean; error: string }

/** How a restore goes. `before`: time of the last outcome when it was asked for. A login that is not known any more was in what was replaced. */
export const restoreProgress = async (before: string): Promise<Restored> => {
  try {
    const { data } = await call('backup.state', {}, { keep: true, quiet: true })
    const { restore, restoring } = data
    if (restoring || restore === null || restore.time === before) return { over: false }
    return { over: true, ok: restore.ok, error: restore.error }
  } catch (error) {
    const gone = error instanceof ApiError && error.failure.code === 401
    return gone ? { over: true, ok: true, error: '' } : { over: false }
  }
}
