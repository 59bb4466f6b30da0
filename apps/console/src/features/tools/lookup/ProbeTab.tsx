/** A request to a web address from a node. */
import { fieldText } from '@tidegate/contract/errors'
import { PROBE_METHODS, type ProbeAnswer, type ProbeWay } from '@tidegate/contract/node/lookups'
import type { ToolNode } from '@tidegate/contract/operations/tools'
import { useUi } from '@tidegate/ui/context'
import { Alert, Button, Form, Input, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/call.ts'
import { useFormSave } from '../../../shared/useFormSave.ts'
import { useNodeItem } from './NodeItem.tsx'
import { ProbeResult } from './ProbeResult.tsx'

interface Values {
  url: string
  method: (typeof PROBE_METHODS)[number]
  way: ProbeWay
}

export const ProbeTab = ({ nodes }: { nodes: readonly ToolNode[] }) => {
  const { t } = useTranslation('lookup')
  const { lang } = useUi()
  const [form] = Form.useForm<Values>()
  const [answer, setAnswer] = useState<ProbeAnswer>()
  const { nodeId, item } = useNodeItem(nodes)
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    if (nodeId === undefined) return
    setAnswer((await call('tools.probe', { nodeId, ...values })).data)
  })
  return (
    <>
      <section className="tg-panel tg-panel-body">
        {failed === '' ? null : <Alert type="error" showIcon title={failed} className="tools-alert" />}
        <Form<Values>
          form={form}
          layout="vertical"
          className="lookup-form"
          initialValues={{ url: '', method: 'GET', way: 'net' }}
          onFinish={save}
        >
          {item}
          <Form.Item
            name="url"
            label={t('url')}
            className="lookup-wide"
            rules={[{ required: true, message: fieldText('required', lang) }]}
          >
            <Input
              className="tg-mono"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={2_048}
              placeholder="https://www.example.com/"
            />
          </Form.Item>
          <Form.Item name="method" label={t('method')}>
            <Radio.Group options={PROBE_METHODS.map((value) => ({ value, label: value }))} />
          </Form.Item>
          <Form.Item name="way" label={t('way')}>
            <Radio.Group
              options={[
                { value: 'net', label: t('wayNet') },
                { value: 'edge', label: t('wayEdge') },
              ]}
            />
          </Form.Item>
          <Button type="primary" htmlType="submit" loading={busy} disabled={nodeId === undefined}>
            {t('send')}
          </Button>
        </Form>
      </section>
      {answer === undefined ? (
        <p className="tg-faint lookup-none">{t('noProbeYet')}</p>
      ) : (
        <ProbeResult answer={answer} />
      )}
    </>
  )
}
