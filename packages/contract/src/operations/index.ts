/** The table of operations: what has no row here is not served. */
import type { z } from 'zod'
import type { Operation } from '../operation.ts'
import { actingOperations } from './acting.ts'
import { adminOperations } from './admin.ts'
import { apiKeyOperations } from './apikey.ts'
import { auditOperations } from './audit.ts'
import { authOperations } from './auth.ts'
import { backupOperations } from './backup.ts'
import { blackOperations } from './black.ts'
import { cacheOperations } from './cache.ts'
import { certOperations } from './cert.ts'
import { commonOperations } from './common.ts'
import { configOperations } from './config.ts'
import { customerOperations } from './customer.ts'
import { exportOperations } from './export.ts'
import { licenseOperations } from './license.ts'
import { menuOperations } from './menu.ts'
import { messageOperations } from './message.ts'
import { monitorOperations } from './monitor.ts'
import { nodeOperations } from './node.ts'
import { notifyOperations } from './notify.ts'
import { overviewOperations } from './overview.ts'
import { pageOperations } from './pages.ts'
import { profileOperations } from './profile.ts'
import { pushOperations } from './push.ts'
import { realNameOperations } from './real-name.ts'
import { registerOperations } from './register.ts'
import { relayOperations } from './relay.ts'
import { roleOperations } from './role.ts'
import { scheduleOperations } from './schedule.ts'
import { securityOperations } from './security.ts'
import { siteOperations } from './site.ts'
import { toolOperations } from './tools.ts'
import { uploadOperations } from './upload.ts'
import { usageOperations } from './usage.ts'
import { wechatOperations } from './wechat.ts'
import { workOrderOperations } from './work-order.ts'

const rows = [
  ...authOperations,
  ...securityOperations,
  ...apiKeyOperations,
  ...commonOperations,
  ...nodeOperations,
  ...siteOperations,
  ...certOperations,
  ...cacheOperations,
  ...pushOperations,
  ...overviewOperations,
  ...adminOperations,
  ...roleOperations,
  ...menuOperations,
  ...auditOperations,
  ...configOperations,
  ...uploadOperations,
  ...relayOperations,
  ...pageOperations,
  ...monitorOperations,
  ...notifyOperations,
  ...exportOperations,
  ...customerOperations,
  ...actingOperations,
  ...profileOperations,
  ...registerOperations,
  ...messageOperations,
  ...workOrderOperations,
  ...scheduleOperations,
  ...usageOperations,
  ...backupOperations,
  ...licenseOperations,
  ...wechatOperations,
  ...realNameOperations,
  ...blackOperations,
  ...toolOperations,
] as const

type Row = (typeof rows)[number]
export type OperationId = Row['id']
type RowOf<Id extends OperationId> = Extract<Row, { id: Id }>
/** What a handler gets (parsed) and a caller sends (defaults may be left out). */
export type InputOf<Id extends OperationId> = z.output<RowOf<Id>['input']>
export type CallOf<Id extends OperationId> = z.input<RowOf<Id>['input']>
/** What a handler gives and a caller reads, beside code and msg. */
export type OutputOf<Id extends OperationId> = z.output<RowOf<Id>['output']>
/** Operations that answer pages of rows, and a row of each. */
export type ListId = {
  [Id in OperationId]: OutputOf<Id> extends { data: { list: unknown[]; totalCount: number } } ? Id : never
}[OperationId]
export type ListRow<Id extends ListId> = OutputOf<Id> extends { data: { list: (infer Row)[] } } ? Row : never
export const operations: readonly Operation[] = rows

const byId = new Map<string, Operation>(operations.map((op) => [op.id, op]))
/** The row of an id; throws on an id that no row has. */
export const operationById = (id: OperationId): Operation => {
  const op = byId.get(id)
  if (!op) throw new Error(`no operation ${id}`)
  return op
}
