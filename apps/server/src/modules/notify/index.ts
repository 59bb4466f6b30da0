/** Notices to customers and staff, and verification codes. */
import type { Lang } from '@tidegate/contract/enums'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { JobDefinition } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { Part } from '../../platform/part.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type TaskKind, taskKind } from '../../platform/task.ts'
import { type CodePort, createCodes } from './codes.ts'
import { createOwnSettings, type NotifyConfigs } from './configs.ts'
import { createDeliver, type Peers, secretsOfNotice } from './deliver.ts'
import { createPreferences } from './preferences.ts'
import { createPump, type Pump } from './pump.ts'
import { createScreens } from './screens.ts'
import { createSend, type PostMessage, type SendNotice, WAKE_JOB } from './send.ts'

export type { CodePort } from './codes.ts'
export type { NotifyConfigs } from './configs.ts'
export type { NoticeRequest, PostMessage, Recipient, SendNotice } from './send.ts'

export interface NotifyDeps {
  db: Db
  clock: Clock
  log: Log
  secrets: Secrets
  defaultLang: () => Promise<Lang>
  siteName: () => Promise<string>
  /** Where mail and short messages are set up. */
  configs: Pick<NotifyConfigs, 'mail' | 'sms'>
  postMessage?: PostMessage | undefined
  /** For tests. */
  peers?: Peers | undefined
}

export interface NotifyModule extends Part {
  handlers: Handlers<keyof ReturnType<typeof createScreens> | keyof ReturnType<typeof createPreferences>>
  /** Puts a notice into the queue in the writer's transaction. */
  send: SendNotice
  codes: CodePort
  pump: Pump
}

/** Days after which used codes are forgotten. */
const KEEP_CODES = 2

const retention = ({ db, clock }: NotifyDeps): TaskKind =>
  taskKind({
    kind: 'notify.retention',
    title: { zh: '清理通知记录', en: 'Notice log clean-up' },
    about: { zh: '删除过期的通知发送记录与验证码', en: 'Deletes old entries of the delivery log, and used codes.' },
    params: z.strictObject({ days: z.int().min(1).max(3650).default(90) }),
    fields: { days: { zh: '保留天数', en: 'Days to keep' } },
    cron: '17 3 * * *',
    run: async ({ days }) => {
      const before = (n: number) => new Date(clock.now() - n * 86_400_000).toISOString()
      const old = sql`DELETE FROM notice WHERE created_at < ${before(days)} AND finished_at IS NOT NULL`
      const removed = (await db.execute(old)).rowCount ?? 0
      await db.execute(sql`DELETE FROM verify_code WHERE created_at < ${before(KEEP_CODES)}`)
      return { removed }
    },
  })

const jobs = (pump: Pump): JobDefinition[] => [
  // The job only rouses the queue, so that a slow peer holds up no other job.
  { name: WAKE_JOB, run: async () => pump.wake() },
  { name: 'notify.look', cron: '* * * * *', run: async () => pump.wake() },
]

/** Mail has a built-in text for codes; a short message needs the provider's template. */
const readyFor =
  (configs: NotifyConfigs) =>
  async (channel: 'mail' | 'sms'): Promise<boolean> =>
    channel === 'mail' ? (await configs.mail()) !== null : (await configs.sms())?.templateIds.code.status === 1

export const createNotifyModule = (deps: NotifyDeps): NotifyModule => {
  const { db, clock, log, secrets } = deps
  const own = createOwnSettings(db, secrets)
  const configs: NotifyConfigs = { ...deps.configs, notify: () => own.notify() }
  const installation = secrets.derive('notice ids').toString('hex').slice(0, 12)
  const inner = { ...deps, configs, own, installation, peers: deps.peers ?? {} }
  const send = createSend(inner)
  const codes = createCodes({ db, clock, key: secrets.derive('verification codes'), send, ready: readyFor(configs) })
  const pump = createPump({
    db,
    clock,
    log,
    deliver: createDeliver(inner),
    secrets: (notice) => secretsOfNotice(inner, notice),
  })
  return {
    name: 'notify',
    handlers: { ...createScreens(inner), ...createPreferences(inner) },
    send,
    codes,
    pump,
    jobs: jobs(pump),
    tasks: [retention(deps)],
    start: async (roles) => {
      if (roles.has('worker')) pump.wake()
    },
    stop: () => pump.stop(),
  }
}
