/** What is odd about the DNS of names before an authority is asked: no bar, since the operator may know better. */
import { Resolver } from 'node:dns/promises'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { rows } from '../../platform/query.ts'
import type { Warning } from './deps.ts'

/** Look-ups of a name; an empty list where there is nothing or no answer. */
export interface Resolve {
  addresses(name: string): Promise<string[]>
  cname(name: string): Promise<string[]>
  /** Names of authorities in `issue` properties (RFC 8659). */
  caa(name: string): Promise<string[]>
}

const MOST_NAMES = 20

export const systemResolve = (): Resolve => {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  const quiet = <T>(asked: Promise<T[]>): Promise<T[]> => asked.catch(() => [])
  return {
    addresses: async (name) =>
      (await Promise.all([quiet(resolver.resolve4(name)), quiet(resolver.resolve6(name))])).flat(),
    cname: (name) => quiet(resolver.resolveCname(name)),
    caa: async (name) =>
      (await quiet(resolver.resolveCaa(name))).flatMap((record) => (record.issue === undefined ? [] : [record.issue])),
  }
}

interface Place {
  name: string
  cname: string
  /** Of the group's nodes. */
  addresses: string[]
}

const placesOf = (on: Queryable, names: readonly string[]): Promise<Place[]> =>
  rows<Place>(
    on,
    sql`SELECT d.domain AS name, s.slug || '.' || g.cname_zone AS cname,
          ARRAY(SELECT n.address FROM node n WHERE n.group_id = g.id AND n.revoked_at IS NULL AND n.address <> '') AS addresses
        FROM site_domain d JOIN site s ON s.id = d.site_id JOIN node_group g ON g.id = s.group_id
        WHERE d.domain = ANY (${sql.param([...names])}::text[]) ORDER BY d.domain`,
  )

const whereTo = async (resolve: Resolve, { name, cname, addresses }: Place): Promise<Warning[]> => {
  const [aliases, found, ours] = await Promise.all([
    resolve.cname(name),
    resolve.addresses(name),
    resolve.addresses(cname),
  ])
  if (aliases.some((alias) => alias.toLowerCase() === cname)) return []
  if (found.length === 0) return [{ key: 'dns_none', params: { name } }]
  const own = [...addresses, ...ours]
  // Where no node's address is known, an address says nothing.
  if (own.length === 0 || found.some((address) => own.includes(address))) return []
  return [{ key: 'dns_elsewhere', params: { name, found: found.slice(0, 4).join(', ') } }]
}

/** The nearest name upwards that has CAA records decides (RFC 8659, 3). */
const permits = async (resolve: Resolve, name: string, authority: readonly string[]): Promise<Warning[]> => {
  if (authority.length === 0) return []
  const labels = name.split('.')
  for (let at = 0; at < labels.length - 1; at++) {
    const issuers = await resolve.caa(labels.slice(at).join('.'))
    if (issuers.length === 0) continue
    const named = issuers.map((issuer) => (issuer.split(';')[0] ?? '').trim().toLowerCase())
    if (named.some((issuer) => authority.includes(issuer))) return []
    return [{ key: 'caa_other', params: { name, found: named.filter((n) => n !== '').join(', ') || '-' } }]
  }
  return []
}

/** `authority`: names of the authority in CAA records. */
export const warningsOf = async (
  on: Queryable,
  resolve: Resolve,
  names: readonly string[],
  authority: readonly string[],
): Promise<Warning[]> => {
  const places = (await placesOf(on, names)).slice(0, MOST_NAMES)
  const found = await Promise.all(
    places.flatMap((place) => [whereTo(resolve, place), permits(resolve, place.name, authority)]),
  )
  return found.flat()
}
