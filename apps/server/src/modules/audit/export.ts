/** The logs of admins and of customers, and a customer's own, as files. */
import type { AuditRow } from '@tidegate/contract/operations/audit'
import { type Exportable, type ExportColumn, exportable } from '../../platform/exportable.ts'
import { listAudit, listOwnLog, listUserLog, SCOPES } from './list.ts'

const COLUMNS: readonly ExportColumn<AuditRow>[] = [
  { key: 'id', title: { zh: '编号', en: 'Id' }, value: (r) => r.id },
  { key: 'time', title: { zh: '时间', en: 'Time' }, value: (r, as) => as.time(r.time) },
  { key: 'actorKind', title: { zh: '操作者类型', en: 'Kind of actor' }, value: (r) => r.actorKind },
  { key: 'actorName', title: { zh: '操作者', en: 'Who' }, value: (r) => r.actorName },
  { key: 'action', title: { zh: '操作', en: 'What' }, value: (r) => r.action },
  { key: 'target', title: { zh: '对象', en: 'On what' }, value: (r) => r.target },
  { key: 'ip', title: { zh: '来源 IP', en: 'From' }, value: (r) => r.ip },
  { key: 'requestId', title: { zh: '请求编号', en: 'Request' }, value: (r) => r.requestId },
]

export const auditExport: Exportable = exportable(
  'audit.list',
  'admin-log',
  (on, input) => listAudit(on, input, SCOPES.admins),
  COLUMNS,
)

/** Who acted in a customer's place stands beside the customer, as on the screen. */
export const userLogExport: Exportable = exportable('userLog.list', 'user-log', listUserLog, [
  ...COLUMNS,
  { key: 'actingName', title: { zh: '代操作的管理员', en: 'Done by admin' }, value: (r) => r.actingName },
])

/** What a customer may not read of an entry is not in the file either. */
export const ownLogExport: Exportable = exportable('ownLog.list', 'log', listOwnLog, COLUMNS)
