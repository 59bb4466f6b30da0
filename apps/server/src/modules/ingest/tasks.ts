/** Scheduled tasks on figures and raw lines: adding up what waits, removing what is old. */
import type pg from 'pg'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { type TaskKind, taskKind } from '../../platform/task.ts'
import { FOLD_BATCHES, foldCounters } from './fold.ts'
import { KEEP_DAYS, LEAST_DAYS, noteRawDropped, rawRetention, statsRetention } from './retention.ts'
import { RAW_RETENTION_DAYS } from './schema.ts'
import type { ReadyStore } from './store.ts'

export interface StatsTaskDeps {
  pool: pg.Pool
  clock: Clock
  /** IANA name. */
  timeZone: () => string
  /** undefined: there is no analytics store. */
  store: ReadyStore | undefined
  diskLow: () => boolean
}

/** The role `ingest` folds every moment; this one makes sure that nothing waits when its processes are away or fail at it. */
const rollup = ({ pool, timeZone }: StatsTaskDeps): TaskKind =>
  taskKind({
    kind: 'stats.rollup',
    title: { zh: '统计汇总', en: 'Rollups' },
    about: {
      zh: '将等待中的计数累加到分钟、小时、天、节点与总计各级汇总；接收进程平时即时累加，本任务保证不遗漏',
      en: 'Adds counters that wait to the sums by minute, hour, day, node and in all. The processes that receive them do so at once; this task makes sure that none is left.',
    },
    params: z.strictObject({ batches: z.int().min(100).max(10_000).default(FOLD_BATCHES) }),
    fields: { batches: { zh: '每个事务的批次数', en: 'Batches of one transaction' } },
    cron: '*/5 * * * *',
    timeout: 600,
    run: async ({ batches }) => ({ folded: await foldCounters(pool, timeZone(), batches) }),
  })

const days = (least: number, most: number, usual: number) => z.int().min(least).max(most).default(usual)

const retention = ({ pool, clock, store, diskLow }: StatsTaskDeps): TaskKind =>
  taskKind({
    kind: 'stats.retention',
    title: { zh: '清理统计数据', en: 'Statistics clean-up' },
    about: {
      zh: '按保留期删除统计数据与原始日志；每天的统计永久保留。磁盘不足时，原始日志提前删除',
      en: 'Deletes figures and raw lines that are older than they are kept. Figures by day stay for ever; raw lines leave earlier when the disk is low.',
    },
    params: z.strictObject({
      minute: days(LEAST_DAYS.minute, 400, KEEP_DAYS.minute),
      hour: days(LEAST_DAYS.hour, 3650, KEEP_DAYS.hour),
      total: days(LEAST_DAYS.total, 3650, KEEP_DAYS.total),
      raw: days(2, RAW_RETENTION_DAYS, RAW_RETENTION_DAYS),
      batch: days(LEAST_DAYS.batch, 90, KEEP_DAYS.batch),
    }),
    fields: {
      minute: { zh: '分钟统计保留天数', en: 'Days to keep figures by minute' },
      hour: { zh: '小时统计保留天数', en: 'Days to keep figures by hour' },
      total: { zh: '总计保留天数', en: 'Days to keep totals' },
      raw: { zh: '原始日志保留天数', en: 'Days to keep raw lines' },
      batch: { zh: '批次编号保留天数', en: 'Days to keep numbers of batches' },
    },
    cron: '37 * * * *',
    timeout: 1800,
    run: async ({ raw, ...keep }, { say }) => {
      const removed = await statsRetention(pool, clock.now(), keep)
      if (store === undefined) return removed
      const dropped = await rawRetention(await store.ready(), clock.now(), diskLow(), raw)
      await noteRawDropped(pool, dropped)
      if (dropped.length > 0) say(`raw lines / 原始日志: ${dropped.join(', ')}`)
      return { ...removed, raw_days: dropped.length }
    },
  })

export const statsTasks = (deps: StatsTaskDeps): TaskKind[] => [rollup(deps), retention(deps)]
