/** What exists: menu url -> page. The server's menu decides what is listed and permitted. */
import type { ScreenPath } from '@tidegate/contract/screens'
import type { ComponentType } from 'react'
import { chunk } from '../shared/chunk.ts'
import { here } from '../shared/console.ts'

export interface PageModule {
  Page: ComponentType
}

/** One page for each path that the contract lists, so that the server knows what can be switched on. */
const PAGES = {
  '/home/overview': () => import('./overview/OverviewPage.tsx'),
  '/home/auth': () => import('./license/LicensePage.tsx'),
  '/cdn/node/list': () => import('./node/NodeListPage.tsx'),
  '/cdn/site/list': () => import('./site/SiteListPage.tsx'),
  '/cdn/site/list/detail': () => import('./site/SiteDetailPage.tsx'),
  '/cdn/site/cert': () => import('./cert/CertsPage.tsx'),
  '/cloud/ca': () => import('./cert/AuthoritiesPage.tsx'),
  '/cdn/site/cache': () => import('./cache/CachePage.tsx'),
  '/cdn/tools/push': () => import('./push/PushPage.tsx'),
  '/cdn/tools/variable': () => import('./tools/VariablePage.tsx'),
  '/cdn/tools/memory': () => import('./tools/MemoryPage.tsx'),
  '/cdn/tools/lookup': () => import('./tools/lookup/LookupPage.tsx'),
  '/cdn/log/admins': () => import('./logs/AdminLogPage.tsx'),
  '/cdn/log/users': () => import('./logs/UserLogPage.tsx'),
  '/dns/log/users': () => import('./logs/UserLogPage.tsx'),
  '/cdn/account/info': () => import('./account/AccountPage.tsx'),
  '/dns/account/info': () => import('./account/AccountPage.tsx'),
  '/cdn/account/log': () => import('./logs/OwnLogPage.tsx'),
  '/dns/account/log': () => import('./logs/OwnLogPage.tsx'),
  '/account/users/users': () => import('./users/UsersPage.tsx'),
  '/account/users/admins': () => import('./admins/AdminsPage.tsx'),
  '/cdn/account/apikey': () => import('./apikeys/ApiKeysPage.tsx'),
  '/dns/account/apikey': () => import('./apikeys/ApiKeysPage.tsx'),
  '/account/users/password': () => import('./password/PasswordPage.tsx'),
  '/account/role/list': () => import('./roles/RolesPage.tsx'),
  '/account/role/menu': () => import('./menus/MenusPage.tsx'),
  '/cloud/storage': () => import('./settings/StoragePage.tsx'),
  '/cdn/dispatch/config': () => import('./settings/DispatchPage.tsx'),
  '/cdn/dispatch/status': () => import('./dispatch/StatusPage.tsx'),
  '/system/overview': () => import('./settings/OverviewPage.tsx'),
  '/system/website': () => import('./settings/WebsitePage.tsx'),
  '/system/payment': () => import('./settings/PaymentPage.tsx'),
  '/system/verify': () => import('./settings/VerifyPage.tsx'),
  '/system/mail': () => import('./settings/MailPage.tsx'),
  '/system/sms': () => import('./settings/SmsPage.tsx'),
  '/system/wechat': () => import('./settings/WechatPage.tsx'),
  '/system/login': () => import('./settings/LoginPage.tsx'),
  '/system/api': () => import('./settings/ApiPage.tsx'),
  '/system/install': () => import('./settings/InstallPage.tsx'),
  '/account/message': () =>
    here.audience === 'admin' ? import('./message/MessagesPage.tsx') : import('./message/NoticesPage.tsx'),
  '/cdn/work-order/list': () =>
    here.audience === 'admin' ? import('./workorder/OrdersPage.tsx') : import('./workorder/MyOrdersPage.tsx'),
  '/cdn/work-order/list/detail': () => import('./workorder/OrderPage.tsx'),
  '/cdn/work-order/category': () => import('./workorder/CategoriesPage.tsx'),
  '/cdn/work-order/reply': () => import('./workorder/RepliesPage.tsx'),
  '/system/backup': () => import('./backup/BackupPage.tsx'),
  '/system/notify': () => import('./notify/NotifyPage.tsx'),
  '/system/schedule/task': () => import('./schedule/TasksPage.tsx'),
  '/system/schedule/log': () => import('./schedule/LogPage.tsx'),
  '/dns/black/config': () => import('./settings/black/BlackPage.tsx'),
  '/dns/log/admins': () => import('./logs/AdminLogPage.tsx'),
} satisfies Record<ScreenPath, () => Promise<PageModule>>

export const REGISTRY: Readonly<Record<string, () => Promise<PageModule>>> = PAGES

export const pageExists = (path: string): boolean => Object.hasOwn(REGISTRY, path)

const loaded = new Map<string, PageModule>()

/** The page's module if it has been loaded. */
export const loadedPage = (path: string): PageModule | undefined => loaded.get(path)

/** Loads a page's module and texts once; rejects when the chunk cannot be fetched. */
export const loadPage = async (path: string): Promise<PageModule> => {
  const known = loaded.get(path)
  if (known !== undefined) return known
  const load = REGISTRY[path]
  if (load === undefined) throw new Error(`no page at ${path}`)
  const module = await chunk(load)
  loaded.set(path, module)
  return module
}

/** The same before anybody asks for the page: a failure is not told, and a new release does not make the window reload. */
export const preloadPage = async (path: string): Promise<void> => {
  const load = REGISTRY[path]
  if (load === undefined || loaded.has(path)) return
  loaded.set(path, await load())
}
