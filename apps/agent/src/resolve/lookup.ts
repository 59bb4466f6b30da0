/**
 * All addresses of a name: /etc/hosts first, then the system's resolvers. node:dns `Resolver` is used and not `lookup`, because
 * `lookup` waits in libuv's four threads: a few dead names would hold up every file operation of the agent for seconds.
 */
import { Resolver } from 'node:dns/promises'
import { isCode } from '../files.ts'
import type { HostsFile } from './hosts-file.ts'

export type Lookup = (name: string) => Promise<string[]>

async function addressesOrNone(query: Promise<string[]>): Promise<string[]> {
  try {
    return await query
  } catch (error) {
    // One family alone is enough; only "there is no such record" counts as an answer.
    if (isCode(error, 'ENODATA')) return []
    throw error
  }
}

/** `servers` empty = those of the system. Rejects when the name does not exist, has no address, or nobody answers in time. */
export function createLookup(hosts: HostsFile, servers: readonly string[] = []): Lookup {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return async (name) => {
    const local = await hosts.find(name)
    if (local.length > 0) return [...local].sort()
    const [v4, v6] = await Promise.allSettled([
      addressesOrNone(resolver.resolve4(name)),
      addressesOrNone(resolver.resolve6(name)),
    ])
    const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return [...new Set(found)].sort()
    const failed = v4.status === 'rejected' ? v4 : v6.status === 'rejected' ? v6 : undefined
    throw failed?.reason ?? new Error(`${name} has no address`)
  }
}
