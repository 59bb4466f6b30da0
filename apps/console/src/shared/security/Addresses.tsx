/** Addresses that one's own account may be used from. */
import { lines } from '@tidegate/contract/validators'
import { Alert, App, Button, Form, Input, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { useFormSave } from '../useFormSave.ts'
import { Panel } from './Panel.tsx'

interface Values {
  limit: boolean
  list: string
}

interface Props {
  status: number
  ips: readonly string[]
  /** The person's present address. */
  ip: string
  onChanged: () => void
}

export const Addresses = ({ status, ips, ip, onChanged }: Props) => {
  const { t } = useTranslation(['security', 'shared'])
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(
    form,
    async ({ limit, list }) => {
      await call('security.whiteIp', { whiteIpStatus: limit ? 1 : 0, whiteIps: lines(list) })
      message.success(t('saved', { ns: 'shared' }))
      onChanged()
    },
    (path) => (path.startsWith('whiteIps') ? 'list' : undefined),
  )
  const add = () => {
    const now = lines(String(form.getFieldValue('list') ?? ''))
    if (!now.includes(ip)) form.setFieldValue('list', [...now, ip].join('\n'))
  }
  return (
    <Panel title={t('addresses')} sub={t('addressesSub')}>
      <div className="tg-panel-body">
        <Form<Values>
          name="addresses"
          form={form}
          layout="vertical"
          onFinish={save}
          initialValues={{ limit: status === 1, list: ips.join('\n') }}
        >
          {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
          <Form.Item name="limit" label={t('limit')} valuePropName="checked">
            <Switch />
          </Form.Item>
          <Form.Item name="list" label={t('list')} extra={t('listHint')}>
            <Input.TextArea autoSize={{ minRows: 3, maxRows: 10 }} className="tg-mono" spellCheck={false} />
          </Form.Item>
          <div className="tg-row">
            <Button type="primary" htmlType="submit" loading={busy}>
              {t('save', { ns: 'shared' })}
            </Button>
            <span className="tg-faint">{t('present', { ip })}</span>
            <button type="button" className="tg-link-button" onClick={add}>
              {t('addPresent')}
            </button>
          </div>
        </Form>
      </div>
    </Panel>
  )
}
