/** Notices to customers and staff, and verification codes. */
import type { Lang } from '@tidegate/contract/enums'
import { sql } from 'drizzle-orm'
import type { Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { JobDefinition } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { Part } from '../../platform/part.ts'
import type { Secrets } from '../../platform/secrets.ts'
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

/** Days after which the log and used codes are forgotten. */
const KEEP_DAYS = { notices: 90, codes: 2 }

const jobs = ({ db, clock }: NotifyDeps, pump: Pump): JobDefinition[] => [
  // The job only rouses the queue, so that a slow peer holds up no other job.
  { name: WAKE_JOB, run: async () => pump.wake() },
  { name: 'notify.look', cron: '* * * * *', run: async () => pump.wake() },
  {
    name: 'notify.retention',
    cron: '17 3 * * *',
    run: async () => {
      const before = (days: number) => new Date(clock.now() - days * 86_400_000).toISOString()
      await db.execute(
        sql`DELETE FROM notice WHERE created_at < ${before(KEEP_DAYS.notices)} AND finished_at IS NOT NULL`,
      )
      await db.execute(sql`DELETE FROM verify_code WHERE created_at < ${before(KEEP_DAYS.codes)}`)
    },
  },
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
    handlers: { ...createScreens(inner), ...createPreferences(deps) },
    send,
    codes,
    pump,
    jobs: jobs(deps, pump),
    start: async (roles) => {
      if (roles.has('worker')) pump.wake()
    },
    stop: () => pump.stop(),
  }
}
