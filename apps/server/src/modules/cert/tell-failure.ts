/** A renewal that failed is told once: to the owner of the certificate, and to the staff. */
import { certText } from '@tidegate/contract/cert'
import type { Lang } from '@tidegate/contract/enums'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../platform/db.ts'
import { row } from '../../platform/query.ts'
import type { OrderFault } from './acme/errors.ts'
import type { CertModuleDeps, StoredOrder } from './deps.ts'
import { nodesFor } from './present.ts'

/** Characters of a variable's value. */
const MOST = 400

interface Owner {
  userId: number | null
  lang: Lang | null
  notAfter: string
}

/** `next`: Unix ms of the earliest next try. */
export const tellFailure = async (
  deps: CertModuleDeps,
  tx: Tx,
  order: StoredOrder,
  fault: OrderFault,
  next: number,
): Promise<void> => {
  const owner = await row<Owner>(
    tx,
    sql`SELECT u.id AS "userId", u.lang, c.not_after AS "notAfter" FROM cert c
        LEFT JOIN customer u ON u.id = c.user_id AND u.enabled WHERE c.id = ${order.certId}`,
  )
  if (!owner) return
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone: deps.timeZone(), dateStyle: 'short', timeStyle: 'short' })
  const link = `/cdn/site/cert?id=${order.certId}`
  const common = await deps.defaultLang()
  const base = deps.publicUrl()
  const vars = (lang: Lang, forCustomer: boolean) => {
    const reason = [certText({ ...fault, params: nodesFor(fault.params, forCustomer) }, lang), fault.detail]
    const page = forCustomer ? '/' : '/admin/'
    return {
      certificate: order.names.slice(0, 3).join(', ').slice(0, MOST),
      date: time.format(new Date(owner.notAfter)).slice(0, 10),
      reason: reason
        .filter((text) => text !== '')
        .join(': ')
        .slice(0, MOST),
      next: time.format(next),
      url: base === undefined ? '' : new URL(`${page}#${link}`, base).href,
    }
  }
  const dedupKey = `cert-order-${order.id}`
  const staff = { event: 'cert_failed_report', to: { operator: true }, lang: common, dedupKey } as const
  await deps.tell(tx, { ...staff, vars: vars(common, false), link })
  if (owner.userId === null) return
  const lang = owner.lang ?? common
  const mine = { event: 'cert_failed', to: { user: owner.userId }, lang, dedupKey: `${dedupKey}-user` } as const
  await deps.tell(tx, { ...mine, vars: vars(lang, true), link })
}
