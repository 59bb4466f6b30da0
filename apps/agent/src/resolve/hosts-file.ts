/** Names of /etc/hosts, which operators use for origins in their own network. Read anew when the file has changed. */
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'

export type HostsFile = Readonly<{ find: (name: string) => Promise<string[]> }>

function parse(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (address === undefined || isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      found.set(key, [...(found.get(key) ?? []), address])
    }
  }
  return found
}

/** Looks up names in the file at `path`; a missing or unreadable file knows none. */
export function createHostsFile(path: string): HostsFile {
  let entries = new Map<string, string[]>()
  let readAt = -1
  return {
    find: async (name) => {
      try {
        const { mtimeMs } = await stat(path)
        if (mtimeMs !== readAt) {
          entries = parse(await readFile(path, 'utf8'))
          readAt = mtimeMs
        }
      } catch {
        entries = new Map()
        readAt = -1
      }
      return entries.get(name.toLowerCase()) ?? []
    },
  }
}
