/** The lists of work orders as files: all of them for the staff, the own ones for a customer. */
import type { OwnOrder, WorkOrderRow } from '@tidegate/contract/operations/work-order'
import type { WorkOrderLabel } from '@tidegate/contract/work-order'
import { type Exportable, type ExportColumn, exportable, type Words } from '../../platform/exportable.ts'
import { listOrders, listOwn } from './list.ts'

/** As the screens call the states. */
const LABELS: Readonly<Record<WorkOrderLabel, Words>> = {
  pending: { zh: '待处理', en: 'Pending' },
  processing: { zh: '处理中', en: 'Processing' },
  completed: { zh: '已完成', en: 'Completed' },
  appeal: { zh: '申诉处理中', en: 'Appeal' },
  closed: { zh: '已关闭', en: 'Closed' },
  rejected: { zh: '已驳回', en: 'Rejected' },
}

const COLUMNS = [
  { key: 'id', title: { zh: '编号', en: 'Id' }, value: (o) => o.id },
  { key: 'title', title: { zh: '标题', en: 'Title' }, value: (o) => o.title },
  { key: 'category', title: { zh: '分类', en: 'Category' }, value: (o) => o.categoryObj.title },
  { key: 'label', title: { zh: '状态', en: 'State' }, value: (o, as) => as.say(LABELS[o.label]) },
  { key: 'rating', title: { zh: '评分', en: 'Rating' }, value: (o) => o.rating ?? '' },
  {
    key: 'solved',
    title: { zh: '已解决', en: 'Solved' },
    value: (o, as) => (o.solved === null ? '' : as.flag(o.solved)),
  },
  { key: 'createDate', title: { zh: '创建时间', en: 'Created' }, value: (o, as) => as.time(o.createDate) },
  { key: 'lastSubmitDate', title: { zh: '最后回复', en: 'Last message' }, value: (o, as) => as.time(o.lastSubmitDate) },
] as const satisfies readonly ExportColumn<OwnOrder>[]

export const ownOrderExport: Exportable = exportable(
  'ownOrder.list',
  'work-orders',
  (on, input, caller) => listOwn(on, input, caller.id),
  COLUMNS,
)

const STAFF_COLUMNS: readonly ExportColumn<WorkOrderRow>[] = [
  ...COLUMNS,
  { key: 'userName', title: { zh: '用户', en: 'User' }, value: (o) => o.userName },
  { key: 'assignee', title: { zh: '负责人', en: 'Assigned to' }, value: (o) => o.assignee?.name ?? '' },
  { key: 'waiting', title: { zh: '等待回复', en: 'Waits for the staff' }, value: (o, as) => as.flag(o.waiting) },
]

export const workOrderExport: Exportable = exportable('workOrder.list', 'work-orders', listOrders, STAFF_COLUMNS)
