/** Things that the server finds for the palette: a row for each of its lists. */
import type { IconName } from '@tidegate/ui/Icon.tsx'
import { call } from '../../shared/api/call.ts'

export interface Found {
  title: string
  note: string
  path: string
}

export interface Source {
  kind: 'site' | 'customer' | 'node' | 'admin'
  icon: IconName
  /** Of the list's operation. */
  permission: string
  /** Where they are shown; without it they are not asked for. */
  screen: string
  ask: (key: string, signal: AbortSignal) => Promise<Found[]>
}

const LIMIT = 10
/** As many as are shown of each kind. */
const SHOWN = 5

const filtered = (screen: string, key: string) => `${screen}?key=${encodeURIComponent(key)}`

export const SOURCES: readonly Source[] = [
  {
    kind: 'site',
    icon: 'globe',
    permission: 'cdn:site:list',
    screen: '/cdn/site/list',
    ask: async (key, signal) => {
      const { data } = await call('site.list', { key, limit: LIMIT }, { signal })
      return data.list.slice(0, SHOWN).map(({ id, domains, cname }) => {
        // The domain that was looked for stands first.
        const [title = cname, ...others] = [...domains].sort(
          (a, b) => Number(b.includes(key)) - Number(a.includes(key)),
        )
        return { title, note: others.join(', ') || cname, path: `/cdn/site/list/detail?id=${id}` }
      })
    },
  },
  {
    kind: 'customer',
    icon: 'user',
    permission: 'account:users:users',
    screen: '/account/users/users',
    ask: async (key, signal) => {
      const { data } = await call('customer.list', { key, limit: LIMIT }, { signal })
      return data.list.slice(0, SHOWN).map(({ username, mobile, email, realName }) => ({
        title: username,
        note: [realName, mobile, email].filter((text) => text !== '').join(' · '),
        path: filtered('/account/users/users', username),
      }))
    },
  },
  {
    kind: 'node',
    icon: 'server',
    permission: 'cdn:node:list',
    screen: '/cdn/node/list',
    ask: async (key, signal) => {
      const { data } = await call('node.list', { key, limit: LIMIT }, { signal })
      return data.list.slice(0, SHOWN).map(({ name, address, groupName }) => ({
        title: name,
        note: [address, groupName].filter((text) => text !== '').join(' · '),
        path: filtered('/cdn/node/list', name),
      }))
    },
  },
  {
    kind: 'admin',
    icon: 'key',
    permission: 'account:users:admins',
    screen: '/account/users/admins',
    ask: async (key, signal) => {
      const { data } = await call('admin.list', { key, limit: LIMIT }, { signal })
      return data.list.slice(0, SHOWN).map(({ username }) => ({
        title: username,
        note: '',
        path: filtered('/account/users/admins', username),
      }))
    },
  },
]
