/** Which notices come by which channel, and where the customer's own Telegram chat and receiver are. */
import { useQueryClient } from '@tanstack/react-query'
import {
  NOTIFY_CHANNELS,
  type NotifyChannel,
  preferenceReceivers,
  type UserEvent,
} from '@tidegate/contract/config/notify'
import { Alert, Button, Checkbox, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { actingNow } from '../../shared/acting.ts'
import { call } from '../../shared/api/call.ts'
import { Failed } from '../../shared/Failed.tsx'
import { currentLang } from '../../shared/i18n.ts'
import { schemaRule } from '../../shared/rules.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSay } from '../../shared/useSay.tsx'
import { PREFERENCES, type Preferences, usePreferences } from './api.ts'

type Chosen = Record<UserEvent, NotifyChannel[]>
type Receivers = Pick<Preferences, 'telegram' | 'webhook' | 'webhookSecret'>

const FIELDS = ['telegram', 'webhook', 'webhookSecret'] as const
const fieldOf = (path: string) => FIELDS.find((name) => name === path)

const useChannelWords = (): Record<NotifyChannel, string> => {
  const { t } = useTranslation('account')
  return {
    message: t('byMessage'),
    mail: t('byMail'),
    sms: t('bySms'),
    telegram: t('byTelegram'),
    webhook: t('byWebhook'),
  }
}

interface ChoiceProps {
  events: Preferences['events']
  chosen: Chosen
  /** Channels that lead to an address. */
  reached: readonly NotifyChannel[]
  onChange: (event: UserEvent, channels: NotifyChannel[]) => void
}

const Choice = ({ events, chosen, reached, onChange }: ChoiceProps) => {
  const { t } = useTranslation('account')
  const lang = currentLang()
  const words = useChannelWords()
  const box = ({ event, title, possible }: Preferences['events'][number], channel: NotifyChannel) =>
    possible.includes(channel) ? (
      <Checkbox
        aria-label={t('noticeBy', { event: title[lang], channel: words[channel] })}
        checked={chosen[event].includes(channel)}
        onChange={({ target }) =>
          onChange(
            event,
            NOTIFY_CHANNELS.filter((one) => (one === channel ? target.checked : chosen[event].includes(one))),
          )
        }
      />
    ) : (
      <span className="tg-faint">–</span>
    )
  return (
    <div className="account-notices">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('noticesEvent')}</th>
            {NOTIFY_CHANNELS.map((channel) => (
              <th key={channel} scope="col">
                {words[channel]}
                {reached.includes(channel) ? null : <small>{t('noAddress')}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {events.map((row) => (
            <tr key={row.event}>
              <th scope="row">{row.title[lang]}</th>
              {NOTIFY_CHANNELS.map((channel) => (
                <td key={channel}>{box(row, channel)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const NoticesForm = ({ stored }: { stored: Preferences }) => {
  const { t } = useTranslation(['account', 'shared'])
  const say = useSay()
  const client = useQueryClient()
  const [form] = Form.useForm<Receivers>()
  const [chosen, setChosen] = useState(
    () => Object.fromEntries(stored.events.map(({ event, channels }) => [event, channels])) as Chosen,
  )
  const { busy, failed, save } = useFormSave<Receivers>(
    form,
    async (receivers) => {
      const events = stored.events.map(({ event }) => ({ event, channels: chosen[event] }))
      await call('notify.preferenceSave', { events, ...receivers })
      say.ok('saved')
      await client.invalidateQueries({ queryKey: PREFERENCES })
    },
    fieldOf,
  )
  const telegram = Form.useWatch('telegram', form) ?? stored.telegram
  const webhook = Form.useWatch('webhook', form) ?? stored.webhook
  const known = { message: true, ...stored.bound, telegram: telegram !== '', webhook: webhook !== '' }
  const { telegram: chat, webhook: address, webhookSecret: secret } = preferenceReceivers.shape
  return (
    <Form<Receivers> form={form} layout="vertical" onFinish={save} initialValues={stored}>
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Choice
        events={stored.events}
        chosen={chosen}
        reached={NOTIFY_CHANNELS.filter((channel) => known[channel])}
        onChange={(event, channels) => setChosen({ ...chosen, [event]: channels })}
      />
      <p className="tg-soft">{t('noticesSub')}</p>
      <div className="account-receivers">
        <Form.Item name="telegram" label={t('telegramChat')} extra={t('telegramHint')} rules={[schemaRule(chat)]}>
          <Input maxLength={20} inputMode="numeric" className="tg-mono" />
        </Form.Item>
        <Form.Item name="webhook" label={t('webhookUrl')} rules={[schemaRule(address)]}>
          <Input maxLength={500} placeholder="https://" />
        </Form.Item>
        <Form.Item
          name="webhookSecret"
          label={t('webhookSecret')}
          extra={t('webhookHint')}
          rules={[schemaRule(secret)]}
        >
          <Input.Password maxLength={200} autoComplete="off" />
        </Form.Item>
      </div>
      <Button type="primary" htmlType="submit" loading={busy} disabled={actingNow() !== null}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

export const Notices = () => {
  const { data, error, refetch } = usePreferences()
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  return data === undefined ? <div className="tg-bone" /> : <NoticesForm key={JSON.stringify(data)} stored={data} />
}
