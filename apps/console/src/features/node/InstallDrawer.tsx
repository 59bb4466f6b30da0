/** A one-time install command for a new node, with what is left of its life. */

import { fieldText } from '@tidegate/contract/errors'
import { ENROLL_TOKEN_TTL } from '@tidegate/contract/limits'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { Alert, Button, Drawer, Form, Input, Select } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import { currentLang } from '../../shared/i18n.ts'
import { useGroups } from './api.ts'

type Issued = OutputOf<'node.enrollToken'>['data']
interface Values {
  name: string
  groupId: number
}

/** Whole seconds until an ISO time, by the browser's clock but never more than a token lives. */
const useLeft = (expires: string): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.min(ENROLL_TOKEN_TTL, Math.round((Date.parse(expires) - now) / 1000)))
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

const Command = ({ issued, onAgain }: { issued: Issued; onAgain: () => void }) => {
  const { t } = useTranslation('node')
  const left = useLeft(issued.expires)
  return (
    <div className="tg-stack">
      <p className="tg-soft">{t('commandText')}</p>
      <div className="node-command">
        <code className="tg-mono">{issued.command}</code>
        <CopyButton text={left === 0 ? '' : issued.command} label={t('command')} />
      </div>
      <div className="tg-row">
        {left === 0 ? (
          <span className="tg-bad">{t('expired')}</span>
        ) : (
          <span className={left < 60 ? 'tg-warn' : 'tg-soft'}>{t('expiresIn', { time: clock(left) })}</span>
        )}
        <button type="button" className="tg-link-button" onClick={onAgain}>
          {t('again')}
        </button>
      </div>
    </div>
  )
}

const InstallForm = ({ onIssued }: { onIssued: (issued: Issued) => void }) => {
  const { t } = useTranslation('node')
  const [form] = Form.useForm<Values>()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const groups = useGroups(true)
  const first = groups.data?.[0]?.id
  useEffect(() => {
    if (first !== undefined && form.getFieldValue('groupId') === undefined) form.setFieldValue('groupId', first)
  }, [first, form])
  const issue = async (values: Values) => {
    setBusy(true)
    setFailed('')
    try {
      onIssued((await call('node.enrollToken', values)).data)
    } catch (error) {
      const fields = error instanceof ApiError ? error.failure.errors : []
      form.setFields(fields.map((e) => ({ name: e.path as keyof Values, errors: [e.msg] })))
      if (fields.length === 0) setFailed(errorLine(error))
    } finally {
      setBusy(false)
    }
  }
  const required = { required: true, whitespace: true, message: fieldText('required', currentLang()) }
  return (
    <Form<Values> form={form} layout="vertical" onFinish={(values) => void issue(values)}>
      {failed === '' && groups.error === null ? null : (
        <Alert type="error" className="shell-alert" title={failed === '' ? t('groupsFailed') : failed} />
      )}
      <Form.Item name="name" label={t('nodeName')} rules={[required]}>
        <Input maxLength={64} autoFocus placeholder="edge-1" />
      </Form.Item>
      <Form.Item name="groupId" label={t('group')} rules={[{ required: true, message: t('chooseGroup') }]}>
        <Select loading={groups.isPending} options={groups.data?.map((g) => ({ value: g.id, label: g.name })) ?? []} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('makeCommand')}
      </Button>
    </Form>
  )
}

export const InstallDrawer = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation('node')
  const [issued, setIssued] = useState<Issued | null>(null)
  const close = () => {
    setIssued(null)
    onClose()
  }
  return (
    <Drawer open={open} onClose={close} title={t('installTitle')} size={480} destroyOnHidden>
      {issued === null ? (
        <InstallForm onIssued={setIssued} />
      ) : (
        <Command issued={issued} onAgain={() => setIssued(null)} />
      )}
    </Drawer>
  )
}
