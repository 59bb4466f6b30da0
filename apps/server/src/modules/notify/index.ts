/** Notices to customers and staff, and verification codes. */
import type { Lang } from '@tidegate/contract/enums'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Handler, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { JobDefinition } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { Part } from '../../platform/part.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type TaskKind, taskKind } from '../../platform/task.ts'
import { audit } from '../audit/index.ts'
import { type CodePort, type CodeRequest, createCodes } from './codes.ts'
import { createSealedSettings, type NotifyConfigs, type SealedSettings } from './configs.ts'
import { createDeliver, type Peers, secretsOfNotice } from './deliver.ts'
import { createPreferences } from './preferences.ts'
import { createPump, type Pump } from './pump.ts'
import { createScreens } from './screens.ts'
import { createSend, type PostMessage, type SendNotice, WAKE_JOB } from './send.ts'

export type { CodePort, CodeRequest } from './codes.ts'
export type { NotifyConfigs } from './configs.ts'
export type { NoticeRequest, PostMessage, Recipient, SendNotice } from './send.ts'

export interface NotifyDeps {
  db: Db
  clock: Clock
  log: Log
  secrets: Secrets
  defaultLang: () => Promise<Lang>
  siteName: () => Promise<string>
  /** Uses the captcha up; whether it was right. */
  redeemCaptcha: (uuid: string, answer: string) => Promise<boolean>
  /** The client as limits count it. */
  addressKey: (ip: string) => string
  /** Where mail and short messages are set up; the module's own sealed rows while nobody else keeps them. */
  configs?: Pick<NotifyConfigs, 'mail' | 'sms'> | undefined
  postMessage?: PostMessage | undefined
  /** Whether an address may be sent a code for the purpose; all may, unless said otherwise. */
  mayReceive?: ((request: CodeRequest) => Promise<boolean>) | undefined
  /** For tests. */
  peers?: Peers | undefined
}

export interface NotifyModule extends Part {
  handlers: Handlers<keyof ReturnType<typeof createScreens> | keyof ReturnType<typeof createPreferences> | 'code.send'>
  /** Puts a notice into the queue in the writer's transaction. */
  send: SendNotice
  codes: CodePort
  pump: Pump
  settings: SealedSettings
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

const codeHandler =
  (deps: NotifyDeps, codes: CodePort): Handler<'code.send'> =>
  async ({ channel, address, purpose, uuid, captcha }, caller) => {
    if (!(await deps.redeemCaptcha(uuid, captcha))) throw new AppError('captcha_wrong')
    const data = await codes.send({ channel, address, purpose, lang: caller.lang, ip: deps.addressKey(caller.ip) })
    await audit(deps.db, caller, { action: 'code.send', target: `${channel} ${purpose}`, after: { address } })
    return { data }
  }

export const createNotifyModule = (deps: NotifyDeps): NotifyModule => {
  const { db, clock, log, secrets } = deps
  const settings = createSealedSettings(db, secrets)
  const configs: NotifyConfigs = { ...settings, ...deps.configs }
  const installation = secrets.derive('notice ids').toString('hex').slice(0, 12)
  const inner = { ...deps, configs, own: settings, installation, peers: deps.peers ?? {} }
  const send = createSend(inner)
  const mayReceive = deps.mayReceive ?? (async () => true)
  const codes = createCodes({ db, clock, key: secrets.derive('verification codes'), send, mayReceive })
  const pump = createPump({
    db,
    clock,
    log,
    deliver: createDeliver(inner),
    secrets: (notice) => secretsOfNotice(inner, notice),
  })
  return {
    name: 'notify',
    handlers: { ...createScreens(inner), ...createPreferences(deps), 'code.send': codeHandler(deps, codes) },
    send,
    codes,
    pump,
    settings,
    jobs: jobs(pump),
    tasks: [retention(deps)],
    start: async (roles) => {
      if (roles.has('worker')) pump.wake()
    },
    stop: () => pump.stop(),
  }
}
