/** Where notices for the staff go, the bot, the signed receiver; each with a test. */
import { useQueryClient } from '@tanstack/react-query'
import { type NotifyConfig, notifyConfig, telegramConfig, webhookConfig } from '@tidegate/contract/config/notify'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Alert, App, Button, Form, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { Failed } from '../../shared/Failed.tsx'
import { schemaRule } from '../../shared/rules.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSay } from '../../shared/useSay.tsx'
import { NOTICES, useChannels } from './api.ts'
import { useFaultWords } from './words.ts'

type Tested = OutputOf<'notify.testMail'>['data']

type Ready = OutputOf<'notify.channelInfo'>['ready']

const ReadyDot = ({ ready }: { ready: boolean | undefined }) => {
  const { t } = useTranslation('notify')
  return <StatusDot tone={ready ? 'good' : 'idle'}>{ready ? t('isReady') : t('notReady')}</StatusDot>
}

/** Channels that are set up on screens of their own. */
const Elsewhere = ({ ready }: { ready: Ready }) => {
  const { t } = useTranslation('notify')
  return (
    <div className="tg-row notify-ready">
      <span className="tg-soft">{t('customers')}</span>
      <span>
        {t('message')} <ReadyDot ready={ready.message} />
      </span>
      <span>
        <Link to="/system/mail">{t('mail')}</Link> <ReadyDot ready={ready.mail} />
      </span>
      <span>
        <Link to="/system/sms">{t('sms')}</Link> <ReadyDot ready={ready.sms} />
      </span>
    </div>
  )
}

const Part = ({ title, ready, children }: { title: string; ready: boolean | undefined; children: ReactNode }) => (
  <section className="tg-panel tg-panel-body" aria-label={title}>
    <div className="tg-panel-head">
      <h2>{title}</h2>
      <ReadyDot ready={ready} />
    </div>
    {children}
  </section>
)

interface TestProps {
  label: string
  /** Rejects while a field that the test needs is wrong; the form says at it what. */
  check: () => Promise<unknown>
  run: () => Promise<{ data: Tested }>
}

/** Calls a test and shows what the other side said. */
const Test = ({ label, check, run }: TestProps) => {
  const { t } = useTranslation('notify')
  const faults = useFaultWords()
  const say = useSay()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [tested, setTested] = useState<Tested | null>(null)
  const go = async () => {
    setTested(null)
    const right = await check().then(
      () => true,
      () => false,
    )
    if (!right) return
    setBusy(true)
    try {
      setTested((await run()).data)
    } catch (error) {
      say.failed(error)
    } finally {
      setBusy(false)
      await client.invalidateQueries({ queryKey: [...NOTICES, 'log'] })
    }
  }
  return (
    <div className="tg-stack notify-test">
      <Button loading={busy} onClick={() => void go()}>
        {label}
      </Button>
      {tested === null ? null : (
        <Alert
          type={tested.ok ? 'success' : 'error'}
          title={tested.ok ? t('testOk') : faults[tested.fault]}
          description={tested.answer === '' ? undefined : <code className="tg-mono">{tested.answer}</code>}
        />
      )}
    </div>
  )
}

const { apiRoot, token, chatId } = telegramConfig.shape
const { url } = webhookConfig.shape
const { to: staffMail } = notifyConfig.shape.mail.unwrap().shape

const ChannelForm = ({ config, ready }: { config: NotifyConfig; ready: Ready }) => {
  const { t } = useTranslation(['notify', 'shared'])
  const { message } = App.useApp()
  const client = useQueryClient()
  const [form] = Form.useForm<NotifyConfig>()
  const save = useFormSave<NotifyConfig>(
    form,
    async (values) => {
      await call('notify.channelSave', values)
      message.success(t('saved'))
      await client.invalidateQueries({ queryKey: [...NOTICES, 'channels'] })
    },
    (path) => path.split('.'),
  )
  return (
    <Form<NotifyConfig>
      form={form}
      layout="vertical"
      className="notify-form"
      initialValues={config}
      onFinish={save.save}
    >
      {save.failed === '' ? null : <Alert type="error" title={save.failed} />}
      <Part title={t('mail')} ready={ready.mail}>
        <Form.Item name={['mail', 'to']} label={t('staffMail')} rules={[schemaRule(staffMail)]}>
          <Input maxLength={254} />
        </Form.Item>
      </Part>
      <Part title={t('telegram')} ready={ready.telegram}>
        <Form.Item name={['telegram', 'apiRoot']} label={t('apiRoot')} rules={[schemaRule(apiRoot)]}>
          <Input maxLength={500} />
        </Form.Item>
        <Form.Item name={['telegram', 'token']} label={t('botToken')} rules={[schemaRule(token)]}>
          <Input.Password maxLength={200} autoComplete="off" />
        </Form.Item>
        <Form.Item name={['telegram', 'chatId']} label={t('chatId')} rules={[schemaRule(chatId)]}>
          <Input maxLength={64} />
        </Form.Item>
        <Test
          label={t('testTelegram')}
          check={() => form.validateFields([['telegram']], { recursive: true })}
          run={() => call('notify.testTelegram', { config: form.getFieldsValue(true).telegram })}
        />
      </Part>
      <Part title={t('webhook')} ready={ready.webhook}>
        <Form.Item name={['webhook', 'url']} label={t('webhookUrl')} rules={[schemaRule(url)]}>
          <Input maxLength={500} />
        </Form.Item>
        <Form.Item name={['webhook', 'secret']} label={t('webhookSecret')} extra={t('webhookHint')}>
          <Input.Password maxLength={200} autoComplete="off" />
        </Form.Item>
        <Test
          label={t('testWebhook')}
          check={() => form.validateFields([['webhook']], { recursive: true })}
          run={() => call('notify.testWebhook', { config: form.getFieldsValue(true).webhook })}
        />
      </Part>
      <div>
        <Button type="primary" htmlType="submit" loading={save.busy}>
          {t('save', { ns: 'shared' })}
        </Button>
      </div>
    </Form>
  )
}

export const ChannelTab = () => {
  const { data, error, refetch } = useChannels()
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <div className="tg-bone" />
  return (
    <div className="tg-stack">
      <Elsewhere ready={data.ready} />
      <ChannelForm config={data.data} ready={data.ready} />
    </div>
  )
}
