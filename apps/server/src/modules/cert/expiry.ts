/** The scheduled task that tells of certificates that come to their end: the owners of the sites that use them, and the staff. */
import type { Lang } from '@tidegate/contract/enums'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable, Tx } from '../../platform/db.ts'
import { rows } from '../../platform/query.ts'
import { type TaskContext, type TaskKind, taskKind } from '../../platform/task.ts'

/** What is told. Those of a customer are about certificates of the customer's sites, `cert_report` and `cert_failed_report` to the staff about all. */
export interface CertNotice {
  event: 'cert_expire' | 'cert_expired' | 'cert_report' | 'cert_failed' | 'cert_failed_report'
  to: { user: number } | { operator: true }
  vars: Record<string, string>
  /** Path of the screen in the recipient's console. */
  link: string
  /** Of the variables; absent: they are the same in every language. */
  lang?: Lang
  /** The same notice is not given twice. */
  dedupKey?: string
}

/** Puts a notice into the queue; answers by how many channels it goes out. */
export type TellOfCerts = (tx: Queryable, notice: CertNotice) => Promise<number>

export interface ExpiryDeps {
  db: Db
  clock: Clock
  /** IANA name. */
  timeZone: () => string
  /** The installation's own address; undefined: that of the request. */
  publicUrl(): string | undefined
  tell: TellOfCerts
}

const DAY_MS = 86_400_000
const STAFF = 0
/** Longest text of a list; a variable of a notice takes 500 characters. */
const LIST_CHARS = 460

/** A certificate that is in use and ends before long, for one who may be told. */
interface Ending {
  certId: number
  names: string[]
  /** As the database writes it, to the microsecond. */
  notAfter: string
  recipient: number
  /** One of the sites that use it, and how many there are. */
  siteId: number
  sites: number
  /** The smallest number of days of which was told already. */
  told: number | null
}

interface Due extends Ending {
  /** Unix ms. */
  end: number
  threshold: number
}

interface Letter {
  event: CertNotice['event']
  due: Due[]
}

/** The nearest of the thresholds that a time before the end (ms) has come below; 0 when the end is over; null: not yet. */
export const thresholdOf = (leftMs: number, days: readonly number[]): number | null => {
  if (leftMs <= 0) return 0
  const reached = days.filter((n) => leftMs <= n * DAY_MS)
  return reached.length > 0 ? Math.min(...reached) : null
}

const endings = (db: Db, recipient: 'customers' | 'staff', before: string): Promise<Ending[]> => {
  const who = recipient === 'staff' ? sql`${STAFF}::bigint` : sql`s.user_id`
  const owners = recipient === 'staff' ? sql`` : sql`JOIN customer u ON u.id = s.user_id AND u.enabled`
  return rows<Ending>(
    db,
    sql`SELECT x.*, (SELECT min(n.days) FROM cert_notice n
            WHERE n.cert_id = x."certId" AND n.not_after = x.ends AND n.recipient = x.recipient) AS told
        FROM (SELECT c.id AS "certId", c.names, c.not_after AS ends, c.not_after::text AS "notAfter", ${who} AS recipient,
                min(s.id) AS "siteId", count(*) AS sites
              FROM cert c JOIN site s ON s.cert_id = c.id AND s.enabled ${owners}
              WHERE c.not_after <= ${before}::timestamptz GROUP BY c.id, ${who}) x
        ORDER BY x.recipient, x.ends, x."certId"`,
  )
}

const dueOf = (found: readonly Ending[], days: readonly number[], now: number): Due[] =>
  found.flatMap((one) => {
    const end = new Date(one.notAfter).getTime()
    const threshold = thresholdOf(end - now, days)
    const isDue = threshold !== null && (one.told === null || one.told > threshold)
    return isDue ? [{ ...one, end, threshold }] : []
  })

/** Those that nobody else has told of in the meantime, and that were not renewed. */
const claim = async (tx: Tx, due: readonly Due[], now: number): Promise<Due[]> => {
  const list = due.map(({ certId, notAfter, recipient, threshold }) => ({ certId, notAfter, recipient, threshold }))
  const made = await rows<{ id: number }>(
    tx,
    sql`INSERT INTO cert_notice (cert_id, not_after, recipient, days, told_at)
        SELECT c.id, c.not_after, x.recipient, x.threshold, ${new Date(now).toISOString()}::timestamptz
        FROM jsonb_to_recordset(${JSON.stringify(list)}::jsonb) AS x ("certId" bigint, "notAfter" timestamptz, recipient bigint, threshold int)
        JOIN cert c ON c.id = x."certId" AND c.not_after = x."notAfter" ORDER BY c.id
        ON CONFLICT DO NOTHING RETURNING cert_id AS id`,
  )
  const mine = new Set(made.map(({ id }) => id))
  return due.filter(({ certId }) => mine.has(certId))
}

/** Nobody was reached: once there is an address, it is told. */
const giveBack = (tx: Tx, due: readonly Due[]) => {
  const list = due.map(({ certId, recipient, threshold }) => ({ certId, recipient, threshold }))
  return tx.execute(sql`DELETE FROM cert_notice n USING jsonb_to_recordset(${JSON.stringify(list)}::jsonb)
      AS x ("certId" bigint, recipient bigint, threshold int)
    WHERE n.cert_id = x."certId" AND n.recipient = x.recipient AND n.days = x.threshold`)
}

const nameOf = ({ names }: Ending) => names[0] ?? ''

/** Names of one certificate in a list. */
const SHOWN_NAMES = 3
const namesOf = ({ names }: Ending) =>
  [...names.slice(0, SHOWN_NAMES), ...(names.length > SHOWN_NAMES ? [`+${names.length - SHOWN_NAMES}`] : [])].join(', ')

/** `a.example (2026-12-01); b.example (2026-12-03); … +12`, as many as there is room for. */
export const listOf = (items: readonly string[], room = LIST_CHARS): string => {
  let text = ''
  for (const [i, item] of items.entries()) {
    const longer = text === '' ? item : `${text}; ${item}`
    if (longer.length > room) return `${text === '' ? item.slice(0, room) : text}; … +${items.length - i}`
    text = longer
  }
  return text
}

const LIST_PATH = '/cdn/site/list'

/** The site's HTTPS tab where it is about one certificate of one site, else the list of sites whose certificates end soon. */
const linkOf = (due: readonly Due[]): string => {
  const [first] = due
  if (due.length === 1 && first !== undefined && first.sites === 1)
    return `${LIST_PATH}/detail?id=${first.siteId}&tab=https`
  return `${LIST_PATH}?certDays=${Math.max(1, ...due.map((one) => one.threshold))}`
}

type Writer = (letter: Letter) => CertNotice

const writer = ({ clock, timeZone, publicUrl }: ExpiryDeps): Writer => {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: timeZone(), dateStyle: 'short' })
  return ({ event, due }) => {
    const staff = event === 'cert_report'
    const link = linkOf(due)
    const page = staff ? '/admin/' : '/'
    const base = publicUrl()
    const url = base === undefined ? '' : new URL(`${page}#${link}`, base).href
    const list = listOf(due.map((one) => `${namesOf(one)} (${day.format(one.end)})`))
    if (staff) return { event, to: { operator: true }, vars: { count: String(due.length), list, url }, link }
    const [first] = due as [Due, ...Due[]]
    const more = due.length > 1 ? ` (+${due.length - 1})` : ''
    const vars = {
      ...{ certificate: `${nameOf(first)}${more}`, date: day.format(first.end), list, url },
      ...(event === 'cert_expire' && { days: String(Math.floor((first.end - clock.now()) / DAY_MS)) }),
    }
    return { event, to: { user: first.recipient }, vars, link }
  }
}

/** One recipient's: all or nothing. Answers of how many certificates was told. */
const tellOne = ({ db, clock, tell }: ExpiryDeps, write: Writer, { event, due }: Letter): Promise<number> =>
  db.transaction(async (tx) => {
    const mine = await claim(tx, due, clock.now())
    if (mine.length === 0) return 0
    if ((await tell(tx, write({ event, due: mine }))) > 0) return mine.length
    await giveBack(tx, mine)
    return 0
  })

/** One for what ends and one for what has ended, for each customer. */
const lettersOf = (due: readonly Due[]): Letter[] => {
  const letters = new Map<string, Letter>()
  for (const one of due) {
    const event = one.threshold === 0 ? 'cert_expired' : 'cert_expire'
    const key = `${one.recipient} ${event}`
    const letter = letters.get(key) ?? { event, due: [] }
    letter.due.push(one)
    letters.set(key, letter)
  }
  return [...letters.values()]
}

const run = async (deps: ExpiryDeps, days: readonly number[], { signal, say }: TaskContext) => {
  const { db, clock } = deps
  const now = clock.now()
  const horizon = new Date(now + Math.max(...days) * DAY_MS).toISOString()
  // What was told of a certificate that has been renewed since is of no use any more.
  await db.execute(sql`DELETE FROM cert_notice n USING cert c WHERE c.id = n.cert_id AND c.not_after <> n.not_after`)
  const write = writer(deps)
  const due = async (recipient: 'customers' | 'staff') => dueOf(await endings(db, recipient, horizon), days, now)
  const told = { customers: 0, staff: 0 }
  for (const letter of lettersOf(await due('customers'))) {
    signal.throwIfAborted()
    if ((await tellOne(deps, write, letter)) === 0) continue
    told.customers += 1
    say(`customer ${letter.due[0]?.recipient}, ${letter.event}: ${listOf(letter.due.map(nameOf))}`)
  }
  const all = await due('staff')
  if (all.length > 0) told.staff = await tellOne(deps, write, { event: 'cert_report', due: all })
  return told
}

/** Days before the end at which it is told. */
const DAYS = [30, 14, 7, 3, 1]

/** Tells once for each certificate, threshold and recipient; after days without a run the nearest threshold alone. */
export const expiryTask = (deps: ExpiryDeps): TaskKind =>
  taskKind({
    kind: 'cert.expiry',
    title: { zh: '证书到期通知', en: 'Certificate expiry notices' },
    about: {
      zh: '证书即将到期或已过期时，通知使用该证书的网站所属客户和管理员，每个提前天数只通知一次',
      en: 'Tells the owners of the sites that use a certificate, and the staff, that it ends soon or has ended; once for each number of days.',
    },
    params: z.strictObject({
      days: z.array(z.int().min(1).max(365)).min(1, { error: 'required' }).max(20).default(DAYS),
    }),
    fields: { days: { zh: '提前天数', en: 'Days before the end' } },
    cron: '0 9 * * *',
    run: ({ days }, context) => run(deps, days, context),
  })
