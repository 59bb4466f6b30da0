/** Paths of the screens that exist, by console: the console's registry has a page for each, and only these can be switched on in the menu. */
import type { ConsoleId } from './enums.ts'

const SHARED = [
  '/home/overview',
  '/home/auth',
  '/account/users/users',
  '/account/users/admins',
  '/account/users/password',
  '/account/role/list',
  '/account/role/menu',
  '/cloud/storage',
  '/cloud/ca',
  '/system/overview',
  '/system/website',
  '/system/payment',
  '/system/verify',
  '/system/mail',
  '/system/sms',
  '/system/wechat',
  '/system/login',
  '/system/api',
  '/system/install',
  '/system/notify',
  '/system/backup',
  '/account/message',
  '/cdn/work-order/list',
  '/cdn/work-order/list/detail',
  '/cdn/work-order/category',
  '/cdn/work-order/reply',
  '/system/schedule/task',
  '/system/schedule/log',
] as const

export const SCREENS = {
  admin: [
    ...SHARED,
    '/cdn/node/list',
    '/cdn/site/list',
    '/cdn/site/list/detail',
    '/cdn/site/cache',
    '/cdn/site/cert',
    '/cdn/tools/push',
    '/cdn/tools/variable',
    '/cdn/tools/memory',
    '/cdn/tools/lookup',
    '/cdn/log/admins',
    '/cdn/dispatch/config',
    '/cdn/dispatch/status',
    '/cdn/log/users',
  ],
  'dns-admin': [...SHARED, '/dns/log/admins', '/dns/log/users', '/dns/black/config'],
  user: [
    '/home/overview',
    '/cdn/site/list',
    '/cdn/site/list/detail',
    '/cdn/site/cache',
    '/cdn/site/cert',
    '/cdn/account/info',
    '/cdn/account/apikey',
    '/cdn/account/log',
    '/account/message',
    '/cdn/work-order/list',
    '/cdn/work-order/list/detail',
  ],
  'dns-user': [
    '/dns/account/info',
    '/dns/account/apikey',
    '/dns/account/log',
    '/account/message',
    '/cdn/work-order/list',
    '/cdn/work-order/list/detail',
  ],
} as const satisfies Record<ConsoleId, readonly string[]>

/** A path that some console has a page for. */
export type ScreenPath = (typeof SCREENS)[ConsoleId][number]

/** Whether every one of these consoles has a page at the path; a final slash means nothing. */
export const screenExists = (path: string, consoles: readonly ConsoleId[]): boolean =>
  consoles.every((console) => (SCREENS[console] as readonly string[]).includes(path.replace(/(.)\/$/, '$1')))
