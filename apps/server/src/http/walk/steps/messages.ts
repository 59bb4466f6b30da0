/** Messages: written by the staff, read by a customer. */
import type { Steps } from '../walk.ts'

export const messages: Steps = ({ got, keepId }) => {
  const message = () => ({ title: 'Works tonight', content: '<p>From two to three.</p>', type: 2, target: 'all' })
  return [
    { id: 'message.save', input: message, trace: 'after', keep: keepId('message') },
    { id: 'message.save', input: () => ({ ...message(), id: got.message, title: 'Works' }), trace: 'both' },
    { id: 'message.list' },
    { id: 'message.info', input: () => ({ id: got.message }) },
    { id: 'message.info', as: 'user', input: () => ({ id: got.message }) },
    { id: 'message.notices', as: 'user' },
    { id: 'message.unread', as: 'user' },
    { id: 'message.read', as: 'user', input: () => ({ ids: [got.message] }), trace: 'none' },
    { id: 'message.delete', input: () => ({ ids: [got.message] }), trace: 'before' },
  ]
}
