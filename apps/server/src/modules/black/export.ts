/** The list of entries as a table. */
import type { BlackScope } from '@tidegate/contract/black'
import type { BlackRow } from '@tidegate/contract/operations/black'
import { type Exportable, type ExportColumn, exportable, type Words } from '../../platform/exportable.ts'
import { listEntries } from './list.ts'

const SCOPES: Record<BlackScope, Words> = {
  tree: { zh: '含所有子域名', en: 'with everything below' },
  name: { zh: '仅此域名', en: 'this name only' },
}

const columns: readonly ExportColumn<BlackRow>[] = [
  { key: 'id', title: { zh: '编号', en: 'Id' }, value: (r) => r.id },
  { key: 'domain', title: { zh: '域名', en: 'Domain' }, value: (r) => r.domain },
  { key: 'scope', title: { zh: '范围', en: 'Scope' }, value: (r, as) => as.say(SCOPES[r.scope]) },
  { key: 'enabled', title: { zh: '启用', en: 'Enabled' }, value: (r, as) => as.flag(r.enabled) },
  { key: 'category', title: { zh: '分类', en: 'Category' }, value: (r) => r.category },
  { key: 'remark', title: { zh: '备注', en: 'Remark' }, value: (r) => r.remark },
  { key: 'createTime', title: { zh: '创建时间', en: 'Created' }, value: (r, as) => as.time(r.createTime) },
  { key: 'updateTime', title: { zh: '更新时间', en: 'Updated' }, value: (r, as) => as.time(r.updateTime) },
]

export const blackExport: Exportable = exportable('black.list', 'dns-blacklist', listEntries, columns)
