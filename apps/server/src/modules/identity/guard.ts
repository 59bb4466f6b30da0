/** What holds for every request of a login: the allowed addresses, and the duty to have a second factor. */
import type { LoginConfig } from '@tidegate/contract/config/login'
import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { row } from '../../platform/query.ts'
import { addressIn } from './addresses.ts'
import { accountTable } from './owned.ts'
import type { Owner, Session } from './sessions.ts'

interface Deps {
  db: Db
  loginConfig(): Promise<LoginConfig>
}

interface Allowed {
  status: number
  ips: string[]
}

const allows = ({ status, ips }: Allowed, ip: string) => status !== 1 || addressIn(ip, ips)

export interface Guard {
  /** Whether the account may be used from there. */
  addressAllowed(owner: Owner, ip: string): Promise<boolean>
  mustAllowAddress(owner: Owner, ip: string): Promise<void>
  /** The session as it may be used; null: not from there. */
  admit(session: Session, ip: string): Promise<Session | null>
  /** Whether this login can do nothing but set up a second factor. */
  mustSetUp(owner: Owner, sessionId: number): Promise<boolean>
}

export const createGuard = ({ db, loginConfig }: Deps): Guard => {
  const addressAllowed = async ({ kind, id }: Owner, ip: string) => {
    const found = await row<Allowed>(
      db,
      sql`SELECT white_ip_status AS status, white_ips AS ips FROM ${accountTable(kind)} WHERE id = ${id}`,
    )
    return found !== undefined && allows(found, ip)
  }
  const mustSetUp = async ({ kind }: Owner, sessionId: number) => {
    if (kind !== 'admin' || (await loginConfig()).adminSecondFactor !== 'required') return false
    const found = await row<{ strong: boolean }>(db, sql`SELECT strong FROM session WHERE id = ${sessionId}`)
    return found?.strong !== true
  }
  return {
    addressAllowed,
    mustSetUp,
    mustAllowAddress: async (owner, ip) => {
      if (!(await addressAllowed(owner, ip))) throw new AppError('address_refused')
    },
    admit: async (session, ip) => {
      // Who acts in another's place sits where the administrator sits, with what the administrator's own login proved.
      const { acting } = session
      if (!(await addressAllowed(acting ? { kind: 'admin', id: acting.id } : session, ip))) return null
      if (acting || !(await mustSetUp(session, session.sessionId))) return session
      return { ...session, superAdmin: false, permissions: new Set<string>() }
    },
  }
}
