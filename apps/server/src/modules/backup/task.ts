/** The scheduled backup, and what of the older ones is removed. */
import { z } from 'zod'
import { AppError } from '../../platform/errors.ts'
import { type TaskKind, type TaskResult, taskKind } from '../../platform/task.ts'
import { nameParts, type Place, type StoredBackup } from './places.ts'
import { beginRun, dropRuns, performRun, type RunDeps } from './runs.ts'
import { readSettings } from './settings.ts'

const DAY_MS = 86_400_000
const RUNS_KEPT_DAYS = 90

export interface Keep {
  keep: number
  /** 0 = however old. */
  keepDays: number
  keepSafety: number
}

const newestFirst = (list: readonly StoredBackup[]) =>
  list
    .map(({ name }) => ({ name, ...nameParts(name) }))
    .filter(({ time }) => time !== '')
    .sort((a, b) => (a.time < b.time ? 1 : -1))

/** Names that are to go: scheduled and safety backups only, never the newest of a kind, never what was made by hand or by command. Pure. */
export const outdated = (
  list: readonly StoredBackup[],
  { keep, keepDays, keepSafety }: Keep,
  now: number,
): string[] => {
  const all = newestFirst(list)
  const scheduled = all.filter(({ kind }) => kind === 'scheduled')
  const safety = all.filter(({ kind }) => kind === 'safety')
  const tooOld = (time: string) => keepDays > 0 && Date.parse(time) < now - keepDays * DAY_MS
  return [
    ...scheduled.filter(({ time }, i) => i > 0 && (i >= keep || tooOld(time))),
    ...safety.filter((_, i) => i >= keepSafety),
  ].map(({ name }) => name)
}

const prune = async (place: Place, keep: Keep, now: number): Promise<number> => {
  const gone = outdated(await place.list(), keep, now)
  for (const name of gone) await place.remove(name)
  return gone.length
}

export const backupTask = (deps: RunDeps): TaskKind =>
  taskKind({
    kind: 'backup.make',
    title: { zh: '备份', en: 'Backup' },
    about: {
      zh: '按“备份与恢复”页面的设置进行备份，并删除过期的自动备份与恢复前备份；未设置口令时不备份',
      en: 'Makes a backup as set on the screen "Backup and Restore" and removes scheduled and safety backups that are no longer kept. Nothing is made while no passphrase is set.',
    },
    params: z.strictObject({
      keep: z.int().min(1).max(1000).default(14),
      keepDays: z.int().min(0).max(3650).default(0),
      keepSafety: z.int().min(1).max(100).default(5),
    }),
    fields: {
      keep: { zh: '保留份数', en: 'Backups to keep' },
      keepDays: { zh: '保留天数（0 为不限）', en: 'Days to keep (0 = no limit)' },
      keepSafety: { zh: '恢复前备份的保留份数', en: 'Safety backups to keep' },
    },
    cron: '30 2 * * *',
    timeout: 6 * 3600,
    lost: 'retry',
    run: async (keep, { signal, say }): Promise<TaskResult> => {
      const { db, clock } = deps
      const settings = await readSettings(db, deps.secrets)
      if (settings.passphrase === '') {
        say('no passphrase is set: nothing was made / 未设置备份口令，未进行备份')
        return { made: false }
      }
      const id = await db.transaction((tx) => beginRun(deps, tx, 'scheduled', 'running', ''))
      const { name, bytes, place } = await performRun(deps, id, signal).catch((error: unknown) => {
        const reason = error instanceof AppError ? error.details.params?.reason : undefined
        throw reason === undefined ? error : new Error(`${(error as AppError).key}: ${reason}`, { cause: error })
      })
      say(`${place}: ${name}, ${bytes} bytes`)
      let removed = await prune(await deps.placeFor(settings, place), keep, clock.now())
      // Safety backups are on the disk wherever the others go.
      if (place !== 'disk') removed += await prune(await deps.placeFor(settings, 'disk'), keep, clock.now())
      await dropRuns(db, clock.now() - RUNS_KEPT_DAYS * DAY_MS)
      return { made: true, bytes, removed }
    },
  })
