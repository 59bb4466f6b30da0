/** Names of origins to addresses, remembered: a failure keeps the last good addresses. */
import { isIP } from 'node:net'
import type { SiteConfig } from '@tidegate/contract/node/config'
import { type Allowances, mayConnect } from './guard.ts'
import type { Lookup } from './lookup.ts'

/** How long an answer is used before it is asked for again. */
const TTL_MS = 60_000
const RETRY_MS = 10_000
const PARALLEL = 16

type Entry = { addresses: string[]; expires: number; failed: boolean; asking: Promise<void> | undefined }

export type Located = Readonly<{
  addresses: string[][]
  /** The literal private address that is not allowed: the site is refused for it. */
  privateLiteral: string | undefined
  /** Names that gave private addresses which were dropped. */
  privateNames: string[]
  unresolved: string[]
}>

export type Resolver = Readonly<{
  /** Asks for names that are not known or whose answer is too old, for at most `waitMs`; late answers count at the next call. */
  refresh: (names: Iterable<string>, waitMs: number) => Promise<void>
  /** Names whose addresses, or whose being resolvable at all, changed since they were settled. */
  changed: () => string[]
  settle: (names: readonly string[]) => void
  /** The addresses of a site's servers as known now, less those that are not allowed. */
  locate: (site: SiteConfig, allowed: Allowances) => Located
  /** Addresses from before a restart: used until a fresh answer is there. */
  seed: (name: string, addresses: readonly string[]) => void
  /** Forgets names that no site uses. */
  keepOnly: (names: ReadonlySet<string>) => void
}>

/** Names (not addresses) of a site's origin servers. */
export function originNames(site: SiteConfig): string[] {
  return site.origin.servers.map((server) => bare(server.host)).filter((host) => isIP(host) === 0)
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '').toLowerCase()
}

/** Makes a resolver on a lookup; `now` gives Unix ms. */
export function createResolver(lookup: Lookup, now: () => number = Date.now): Resolver {
  const entries = new Map<string, Entry>()
  const changed = new Set<string>()

  async function ask(name: string, entry: Entry): Promise<void> {
    try {
      const addresses = await lookup(name)
      if (entry.failed || addresses.join() !== entry.addresses.join()) changed.add(name)
      entry.addresses = addresses
      entry.failed = false
      entry.expires = now() + TTL_MS
    } catch {
      if (!entry.failed) changed.add(name)
      entry.failed = true
      entry.expires = now() + RETRY_MS
    } finally {
      entry.asking = undefined
    }
  }

  async function askAll(names: string[]): Promise<void> {
    const queue = names.values()
    const worker = async () => {
      for (const name of queue) {
        const entry = entries.get(name) ?? { addresses: [], expires: 0, failed: false, asking: undefined }
        entries.set(name, entry)
        entry.asking ??= ask(name, entry)
        await entry.asking
      }
    }
    await Promise.all(Array.from({ length: Math.min(PARALLEL, names.length) }, worker))
  }

  return {
    refresh: async (names, waitMs) => {
      const due = [...new Set(names)].filter((name) => (entries.get(name)?.expires ?? 0) <= now())
      if (due.length === 0) return
      let timer: NodeJS.Timeout | undefined
      const deadline = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, waitMs)
      })
      await Promise.race([askAll(due), deadline])
      clearTimeout(timer)
    },
    locate: (site, allowed) => {
      const privateNames: string[] = []
      const unresolved: string[] = []
      let privateLiteral: string | undefined
      const addresses = site.origin.servers.map((server) => {
        const host = bare(server.host)
        const literal = isIP(host) !== 0
        const known = literal ? [host] : (entries.get(host)?.addresses ?? [])
        const usable = known.filter((address) => mayConnect(allowed, site, server, address))
        if (known.length === 0) unresolved.push(host)
        else if (usable.length < known.length) {
          if (literal) privateLiteral = host
          else privateNames.push(host)
        }
        return usable
      })
      return { addresses, privateLiteral, privateNames, unresolved }
    },
    changed: () => [...changed],
    settle: (names) => {
      for (const name of names) changed.delete(name)
    },
    seed: (name, addresses) => {
      if (addresses.length > 0 && !entries.has(name)) {
        entries.set(name, { addresses: [...addresses], expires: 0, failed: false, asking: undefined })
      }
    },
    keepOnly: (names) => {
      for (const name of entries.keys()) if (!names.has(name)) entries.delete(name)
    },
  }
}
