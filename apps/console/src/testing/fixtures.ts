/** Answers that most component tests share. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import type { OutputOf } from '@tidegate/contract/operations/index'

type Extra = Partial<MenuItem['meta']>
const entry = (
  menuId: number,
  url: string,
  type: number,
  en: string,
  children: MenuItem[] = [],
  meta: Extra = {},
): MenuItem => ({
  menuId,
  url,
  type,
  meta: { title: { zh: `${en}（中）`, en }, ...meta },
  children,
})

export const MENU: MenuItem[] = [
  entry(1, '/home', 0, 'Home', [entry(11, '/home/overview', 1, 'Overview')]),
  entry(2, '/cdn', 0, 'CDN', [
    entry(20, '/cdn/node', 0, 'Node Management', [
      entry(21, '/cdn/node/list', 1, 'Node List'),
      entry(22, '/cdn/node/later', 1, 'Not built'),
    ]),
    entry(175, '/cdn/site/domain', 0, 'Site Management', [
      entry(232, '/cdn/site/list', 1, 'All Domains', [entry(9, '', 2, 'Save')]),
      entry(233, '/cdn/site/list/detail', 1, 'Site', [], { hidden: true, selectMenu: '/cdn/site/list' }),
      entry(234, '/cdn/site/cache', 1, 'Cache Cleanup'),
    ]),
    entry(28, '/cdn/tools', 0, 'Tools', [entry(281, '/cdn/tools/push', 1, 'Push', [], { badge: 'task_count' })]),
  ]),
  entry(3, '/system', 0, 'System', [entry(31, '/system/later', 1, 'Not built')]),
]

export const INDEX: OutputOf<'common.index'> = {
  rewrite: 0,
  force: 0,
  ai_waf: 0,
  mode: { 176: 1, 179: 1, tw: 0, permissions: [] },
  user_dir: '',
  web_config: { paramValue: JSON.stringify({ basic: { webName: 'Edge Co' }, seo: { title: 'Fast everywhere' } }) },
  dns_rewrite: null,
  otherSite: null,
  resetApi: false,
  captcha: 'after-failures',
  passwordPolicy: { minLength: 4, classes: 1 },
  oidc: null,
  wechat: false,
  version: '0.1.0',
  timeZone: 'Asia/Shanghai',
}

export const USER: OutputOf<'admin.info'> = {
  user: { userId: 1, username: 'admin', superAdmin: true, whiteIpStatus: 0, unvalidModel: [], permissions: [] },
}

/** An empty page of a list. */
export const EMPTY_LIST = { data: { list: [], totalCount: 0, pageSize: 20, currPage: 1, totalPage: 0 } }

/** What the shell reads. */
export const SHELL_ANSWERS = {
  'common.index': () => INDEX,
  'menu.nav': () => ({ menuList: MENU, permissions: [] }),
  'admin.info': () => USER,
  'push.status': () => ({ task_size: 4, refused_size: 0 }),
  'site.list': () => EMPTY_LIST,
  'node.list': () => EMPTY_LIST,
  'cache.list': () => EMPTY_LIST,
  'push.list': () => EMPTY_LIST,
}
