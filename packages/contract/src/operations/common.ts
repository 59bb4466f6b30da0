/** What the consoles read before and after login: page config, enumerations, menu. */
import { z } from 'zod'
import { passwordPolicy } from '../config/login.ts'
import { modeFlags } from '../mode-flags.ts'
import { none, operation } from '../operation.ts'

/** Meta of a menu entry (specification, section 3). Titles stand in both languages. */
export const menuMeta = z.object({
  title: z.object({ zh: z.string(), en: z.string() }),
  icon: z.string().optional(),
  hidden: z.boolean().optional(),
  custom: z.string().optional(),
  badge: z.enum(['task_count', 'wkCount']).optional(),
  isSub: z.boolean().optional(),
  redirect: z.string().optional(),
  levelHidden: z.boolean().optional(),
  selectMenu: z.string().optional(),
})

export interface MenuItem {
  menuId: number
  url: string
  type: number
  meta: z.infer<typeof menuMeta>
  children: MenuItem[]
}
export const menuItem: z.ZodType<MenuItem> = z.lazy(() =>
  z.object({ menuId: z.int(), url: z.string(), type: z.int(), meta: menuMeta, children: z.array(menuItem) }),
)

/** A screen or directory, as a picker shows it. */
export const screenRef = z.object({
  menuId: z.int(),
  parentId: z.int().nullable(),
  url: z.string(),
  type: z.int(),
  title: z.object({ zh: z.string(), en: z.string() }),
})

const indexOut = z.object({
  rewrite: z.int(),
  /** Above 0: real-name verification or phone binding is forced before one may buy or add. */
  force: z.int(),
  ai_waf: z.int(),
  mode: modeFlags,
  user_dir: z.string(),
  /** Only with a valid token. */
  wkCount: z.int().optional(),
  task_count: z.int().optional(),
  refused_count: z.int().optional(),
  web_config: z.object({ paramValue: z.string() }),
  dns_rewrite: z.object({ cnameDomain: z.string(), dnsAddress: z.string() }).nullable(),
  otherSite: z.object({ siteUrl: z.string(), apiRootPath: z.string(), syncRegister: z.int() }).nullable(),
  resetApi: z.boolean(),
  captcha: z.enum(['always', 'after-failures', 'off']),
  /** What a new password must have. */
  passwordPolicy,
  /** Logging in at the operator's own provider; null: not set up. */
  oidc: z.object({ name: z.string() }).nullable(),
  /** Whether customers can log in by WeChat. */
  wechat: z.boolean(),
  version: z.string(),
  timeZone: z.string(),
  /** Seconds between two questions of a console that polls. */
  pollSeconds: z.int().optional(),
  /** Rows that an export writes at most. */
  exportMaxRows: z.int().optional(),
  /** Whether customers may only look for now. */
  customersReadOnly: z.boolean().optional(),
})

export const commonOperations = [
  operation({
    id: 'common.index',
    method: 'GET',
    path: 'sys/common/index',
    aliases: ['sys_common/index'],
    audience: 'public',
    permission: null,
    effect: 'read',
    input: none,
    output: indexOut,
  }),
  operation({
    id: 'common.enums',
    method: 'GET',
    path: 'sys/common/enums',
    audience: 'public',
    permission: null,
    effect: 'read',
    input: none,
    output: z.object({ data: z.record(z.string(), z.unknown()) }),
  }),
  operation({
    id: 'menu.nav',
    method: 'GET',
    path: 'sys/menu/nav',
    audience: 'any',
    permission: 'login',
    effect: 'read',
    input: none,
    output: z.object({ menuList: z.array(menuItem), permissions: z.array(z.string()) }),
  }),
]
