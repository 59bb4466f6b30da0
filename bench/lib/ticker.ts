/** A process that makes runs of what is due whenever it is told the time. */
import { makeDue } from '../../apps/server/src/modules/schedule/due.ts'
import { openDatabase } from '../../apps/server/src/platform/db.ts'

export interface TickerSaid {
  made: number
  /** Resident memory in bytes, now and before the first tick. */
  rss: number
  before: number
}

const [, , kind = ''] = process.argv
const { db } = openDatabase(process.env.DATABASE_URL ?? '', () => {})
const before = process.memoryUsage().rss
const say = (made: number) => process.send?.({ made, rss: process.memoryUsage().rss, before } satisfies TickerSaid)

process.on('message', ({ now }: { now: number }) => {
  void makeDue(db, [kind], 'Asia/Shanghai', now).then(say)
})
say(0)
