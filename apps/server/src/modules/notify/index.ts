/** Notices to customers and staff, and verification codes. */
import type { Lang } from '@tidegate/contract/enums'
import { sql } from 'drizzle-orm'
import type { Handler, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { JobDefinition } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { Part } from '../../platform/part.ts'
import type { Secrets } from '../../platform/secrets.ts'
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
  const configs: NotifyConfigs = {
    ...settings,
    mail: async () => (await deps.configs?.mail()) ?? (await settings.mail()),
    sms: async () => (await deps.configs?.sms()) ?? (await settings.sms()),
  }
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
    jobs: jobs(deps, pump),
    start: async (roles) => {
      if (roles.has('worker')) pump.wake()
    },
    stop: () => pump.stop(),
  }
}
