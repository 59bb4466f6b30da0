/** A question to DNS from a node. */
import { fieldText } from '@tidegate/contract/errors'
import { type DigAnswer, DNS_TYPES, type DnsRecord, type DnsType } from '@tidegate/contract/node/lookups'
import type { ToolNode } from '@tidegate/contract/operations/tools'
import { useUi } from '@tidegate/ui/context'
import { millis } from '@tidegate/ui/format'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Alert, Button, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/call.ts'
import { useFormSave } from '../../../shared/useFormSave.ts'
import { useNodeItem } from './NodeItem.tsx'

interface Values {
  name: string
  type: DnsType
  server: string
}

const Records = ({ title, records }: { title: string; records: readonly DnsRecord[] }) => {
  const { t } = useTranslation('lookup')
  if (records.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <div className="lookup-scroll">
        <table className="lookup-table">
          <thead>
            <tr>
              <th scope="col">{t('name')}</th>
              <th scope="col">{t('ttl')}</th>
              <th scope="col">{t('type')}</th>
              <th scope="col">{t('data')}</th>
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <tr key={`${record.name} ${record.type} ${record.data}`}>
                <td className="tg-mono">{record.name}</td>
                <td className="tg-mono">{record.ttl}</td>
                <td className="tg-mono">{record.type}</td>
                <td className="tg-mono lookup-data">{record.data}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const Answer = ({ answer }: { answer: DigAnswer }) => {
  const { t } = useTranslation('lookup')
  const { lang } = useUi()
  const { fault, status, answers, authority } = answer
  const faults = { timeout: t('digTimeout'), unreachable: t('digUnreachable'), malformed: t('digMalformed') }
  const marks = [
    ...(answer.tcp ? [t('tcp')] : []),
    ...(answer.authoritative ? [t('authoritative')] : []),
    ...(answer.authenticated ? [t('authenticated')] : []),
  ]
  const none = status === 'NXDOMAIN' ? t('noName') : status === 'NOERROR' ? t('noRecords') : ''
  return (
    <section className="tg-panel tg-panel-body lookup-answer" aria-live="polite" aria-label={t('answers')}>
      <p className="lookup-line">
        <StatusDot tone={status === 'NOERROR' ? 'good' : fault === null && status === 'NXDOMAIN' ? 'idle' : 'bad'}>
          {fault === null ? status : faults[fault]}
        </StatusDot>
        <span className="tg-soft">{t('askedServer', { server: answer.server, time: millis(answer.ms, lang) })}</span>
        {marks.map((mark) => (
          <span key={mark} className="tg-faint">
            {mark}
          </span>
        ))}
      </p>
      {fault === null && answers.length === 0 && none !== '' ? <p className="tg-faint">{none}</p> : null}
      <Records title={t('answers')} records={answers} />
      <Records title={t('authority')} records={authority} />
    </section>
  )
}

export const DigTab = ({ nodes }: { nodes: readonly ToolNode[] }) => {
  const { t } = useTranslation('lookup')
  const { lang } = useUi()
  const [form] = Form.useForm<Values>()
  const [answer, setAnswer] = useState<DigAnswer>()
  const { nodeId, item } = useNodeItem(nodes)
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    if (nodeId === undefined) return
    setAnswer((await call('tools.dig', { nodeId, ...values })).data)
  })
  return (
    <>
      <section className="tg-panel tg-panel-body">
        {failed === '' ? null : <Alert type="error" showIcon title={failed} className="tools-alert" />}
        <Form<Values>
          form={form}
          layout="vertical"
          className="lookup-form"
          initialValues={{ name: '', type: 'A', server: '' }}
          onFinish={save}
        >
          {item}
          <Form.Item
            name="name"
            label={t('name')}
            extra={t('nameHint')}
            className="lookup-wide"
            rules={[{ required: true, message: fieldText('required', lang) }]}
          >
            <Input className="tg-mono" autoCapitalize="none" spellCheck={false} maxLength={255} />
          </Form.Item>
          <Form.Item name="type" label={t('type')}>
            <Select options={DNS_TYPES.map((value) => ({ value, label: value }))} className="lookup-type" />
          </Form.Item>
          <Form.Item name="server" label={t('server')} extra={t('serverHint')}>
            <Input className="tg-mono" autoCapitalize="none" spellCheck={false} maxLength={64} />
          </Form.Item>
          <Button type="primary" htmlType="submit" loading={busy} disabled={nodeId === undefined}>
            {t('ask')}
          </Button>
        </Form>
      </section>
      {answer === undefined ? <p className="tg-faint lookup-none">{t('noDigYet')}</p> : <Answer answer={answer} />}
    </>
  )
}
