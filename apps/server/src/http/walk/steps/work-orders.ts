/** A work order from its opening to its end. */
import { contentText } from '@tidegate/contract/work-order'
import type { Body, Step, Steps } from '../walk.ts'

export const workOrders: Steps = ({ got, keepId }) => {
  const own = (id: Step['id'], input: () => Body, trace: Step['trace']): Step => ({ id, as: 'user', input, trace })
  const order = (more: Body = {}) => ({ id: got.workOrder, ...more })
  const content = contentText('How do I add a domain?', [])
  return [
    { id: 'workCategory.save', input: () => ({ title: 'Walks' }), trace: 'after', keep: keepId('workCategory') },
    { id: 'workCategory.save', input: () => ({ id: got.workCategory, title: 'Ways' }), trace: 'both' },
    { id: 'workCategory.list' },
    { id: 'workCategory.list', as: 'user' },
    {
      id: 'workReply.save',
      input: () => ({ title: 'Greeting', shortcut: 'hi', content: 'Hello' }),
      trace: 'after',
      keep: keepId('workReply'),
    },
    { id: 'workReply.list' },
    {
      ...own('ownOrder.save', () => ({ title: 'A domain', categoryId: got.workCategory, content }), 'after'),
      keep: keepId('workOrder'),
    },
    own('ownOrder.send', () => order({ content }), 'after'),
    { id: 'workOrder.newMsg' },
    { id: 'workOrder.list' },
    { id: 'workOrder.detail', input: order },
    { id: 'workOrder.assignees' },
    { id: 'workOrder.assign', input: () => ({ ids: [got.workOrder], adminId: 1 }), trace: 'both' },
    { id: 'workOrder.send', input: () => order({ content }), trace: 'after' },
    { id: 'ownOrder.list', as: 'user' },
    { id: 'ownOrder.detail', as: 'user', input: order },
    own('ownOrder.read', order, 'none'),
    own('ownOrder.close', () => order({ rating: 2, solved: false }), 'both'),
    own('ownOrder.appeal', () => order({ reason: 'it still fails' }), 'both'),
    { id: 'workOrder.move', input: () => order({ action: 'complete' }), trace: 'both' },
    { id: 'workOrder.stats' },
    { id: 'workOrder.delete', input: () => ({ ids: [got.workOrder] }), trace: 'before' },
    { id: 'workReply.delete', input: () => ({ ids: [got.workReply] }), trace: 'before' },
    { id: 'workCategory.delete', input: () => ({ id: got.workCategory }), trace: 'before' },
  ]
}
