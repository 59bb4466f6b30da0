/** The list of sites as a file. */

import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import type { SiteRow } from '@tidegate/contract/operations/site'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable } from '../../platform/db.ts'
import { type Exportable, type ExportColumn, exportable } from '../../platform/exportable.ts'

const columns: readonly ExportColumn<SiteRow>[] = [
  { key: 'id', title: { zh: '编号', en: 'Id' }, value: (s) => s.id },
  { key: 'domains', title: { zh: '域名', en: 'Domains' }, value: (s) => s.domains.join(' ') },
  { key: 'cname', title: { zh: 'CNAME', en: 'CNAME' }, value: (s) => s.cname },
  { key: 'enabled', title: { zh: '启用', en: 'Enabled' }, value: (s, as) => as.flag(s.enabled) },
  { key: 'nodes', title: { zh: '节点数', en: 'Nodes' }, value: (s) => s.nodes },
  { key: 'nodesLive', title: { zh: '已生效节点', en: 'Nodes live' }, value: (s) => s.nodesLive },
  { key: 'nodesRefused', title: { zh: '已拒绝节点', en: 'Nodes refusing' }, value: (s) => s.nodesRefused },
  {
    key: 'certNotAfter',
    title: { zh: '证书到期', en: 'Certificate until' },
    value: (s, as) => as.time(s.certNotAfter),
  },
  { key: 'originProtocol', title: { zh: '回源协议', en: 'Origin protocol' }, value: (s) => s.originProtocol },
  { key: 'origins', title: { zh: '源站', en: 'Origins' }, value: (s) => s.origins.join(' ') },
  { key: 'groupName', title: { zh: '服务分组', en: 'Service group' }, value: (s) => s.groupName },
  { key: 'remark', title: { zh: '备注', en: 'Remark' }, value: (s) => s.remark },
  { key: 'updateTime', title: { zh: '更新时间', en: 'Updated' }, value: (s, as) => as.time(s.updateTime) },
  { key: 'createTime', title: { zh: '创建时间', en: 'Created' }, value: (s, as) => as.time(s.createTime) },
]

type Read = (on: Queryable, input: InputOf<'site.list'>, caller: Caller) => Promise<OutputOf<'site.list'>>

/** `read` is what the list's handler calls. */
export const siteExport = (read: Read): Exportable => exportable('site.list', 'sites', read, columns)
