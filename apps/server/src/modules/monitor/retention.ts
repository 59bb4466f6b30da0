/** The clean-up of what monitoring leaves behind. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { taskKind } from '../../platform/task.ts'

/** Tracks bound themselves; here go those that nobody writes any more, monitors that fell silent, and old changes. */
export const retentionTask = ({ db, clock }: { db: Db; clock: Clock }) =>
  taskKind({
    kind: 'monitor.retention',
    title: { zh: '清理监控记录', en: 'Monitoring clean-up' },
    about: {
      zh: '删除不再更新的检测结果、长期无上报的监控端和过旧的节点状态变化',
      en: 'Deletes results that are no longer added to, monitors that fell silent, and old changes of nodes.',
    },
    params: z.strictObject({
      hours: z.int().min(1).max(8760).default(24),
      days: z.int().min(1).max(3650).default(90),
    }),
    fields: {
      hours: { zh: '检测结果保留小时数', en: 'Hours to keep results' },
      days: { zh: '监控端与变化记录保留天数', en: 'Days to keep monitors and changes' },
    },
    cron: '37 * * * *',
    run: async ({ hours, days }) => {
      const now = clock.now()
      const old = new Date(now - days * 86_400_000).toISOString()
      const results = await db.execute(sql`DELETE FROM probe_track WHERE last_at < ${now - hours * 3_600_000}`)
      const monitors = await db.execute(sql`DELETE FROM monitor WHERE last_at < ${old}`)
      const changes = await db.execute(sql`DELETE FROM node_health_change WHERE at < ${old}`)
      return { results: results.rowCount ?? 0, monitors: monitors.rowCount ?? 0, changes: changes.rowCount ?? 0 }
    },
  })
