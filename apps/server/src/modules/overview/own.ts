/** `overview.own`: how a customer's things are, and what to do first. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import type pg from 'pg'
import type { Handler } from '../../platform/caller.ts'

/** What the customer's overview asks of other modules. */
export interface OwnDeps {
  pool: pg.Pool
  sitesOf: (customerId: number) => Promise<number[]>
  siteCounts: (owner: number | null) => Promise<{ enabled: number; total: number }>
  certCounts: (owner: number | null) => Promise<{ total: number; expiring: number; expired: number }>
  /** The newest enabled site that is none of these: its first domain and where that has to point. */
  newestSite: (
    owner: number,
    except: number[],
  ) => Promise<{ siteId: number; domain: string; cname: string } | undefined>
  /** Whether the account has a bound mobile and a verified name, and which of them the installation asks for. */
  standing: (
    customerId: number,
  ) => Promise<{ phone: boolean; realName: boolean; asked: { phone: boolean; realName: boolean } }>
}

type Item = OutputOf<'overview.own'>['data']['checklist'][number]

/** Those of the sites that a request ever came for. */
const withTraffic = async (pool: pg.Pool, ids: number[]): Promise<number[]> => {
  const { rows } = await pool.query<{ site: number }>(
    `SELECT s.site FROM unnest($1::bigint[]) AS s (site) WHERE EXISTS (SELECT FROM rollup_day d WHERE d.site = s.site AND d.requests > 0)`,
    [ids],
  )
  return rows.map((row) => row.site)
}

export const ownHandler =
  (deps: OwnDeps): Handler<'overview.own'> =>
  async (_input, { id }) => {
    const [ids, sites, certificates, standing] = await Promise.all([
      deps.sitesOf(id),
      deps.siteCounts(id),
      deps.certCounts(id),
      deps.standing(id),
    ])
    const alive = await withTraffic(deps.pool, ids)
    const waiting = alive.length < ids.length ? await deps.newestSite(id, alive) : undefined
    const checklist: Item[] = [
      ...(standing.asked.realName ? [{ key: 'realName' as const, done: standing.realName }] : []),
      ...(standing.asked.phone ? [{ key: 'phone' as const, done: standing.phone }] : []),
      { key: 'site', done: sites.total > 0 },
      { key: 'cname', done: alive.length > 0 },
      { key: 'certificate', done: certificates.total > 0 },
    ]
    const { total, expiring, expired } = certificates
    return { data: { sites, certificates: { total, expiring, expired }, point: waiting ?? null, checklist } }
  }
