/** Notices: the log, texts, channels, tests without a peer, a customer's choices. */

import type { Steps } from '../walk.ts'

export const notify: Steps = ({ got, secret }) => {
  const text = { event: 'meal_out', channel: 'mail', lang: 'en', subject: 'Gone: {plan}', body: 'Plan {plan} is gone.' }
  const channels = () => ({ telegram: { token: '1:walk-Token', chatId: '77' }, webhook: { secret: 'walk-Secret' } })
  return [
    { id: 'notify.templateList' },
    { id: 'notify.templatePreview', input: () => text },
    { id: 'notify.templateSave', input: () => text, trace: 'both' },
    {
      id: 'notify.channelSave',
      input: () => {
        secret('1:walk-Token', null)
        secret('walk-Secret', null)
        return channels()
      },
      trace: 'both',
    },
    { id: 'notify.channelInfo' },
    { id: 'notify.testMail', input: () => ({ to: 'walker@example.com' }), trace: 'after' },
    { id: 'notify.testSms', input: () => ({ to: '13800000000' }), trace: 'after' },
    { id: 'notify.testTelegram', input: () => ({ config: { token: '', chatId: '77' } }), trace: 'after' },
    { id: 'notify.testWebhook', input: () => ({ config: { url: '', secret: '' } }), trace: 'after' },
    {
      id: 'notify.log',
      keep: (reply) => {
        const { list } = reply.body.data as { list: { id: number; channel: string }[] }
        got.notice = list.find((one) => one.channel === 'mail')?.id ?? 0
      },
    },
    { id: 'notify.resend', input: () => ({ id: got.notice }), trace: 'both' },
    { id: 'notify.preference', as: 'user' },
    {
      id: 'notify.preferenceSave',
      as: 'user',
      input: () => ({
        events: [{ event: 'meal_out', channels: ['mail'] }],
        telegram: '',
        webhook: 'https://hooks.example.com/a',
        webhookSecret: 'walk-Secret',
      }),
      trace: 'both',
    },
  ]
}
