/** Applying for a free certificate, and how it goes until it is there. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { fieldText } from '@tidegate/contract/errors'
import { Alert, Button, Drawer, Form, Input, Select, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { OrderProgress } from '../../shared/cert/CertStatus.tsx'
import { CERTS, useCert } from '../../shared/cert/useCert.ts'
import { Failed } from '../../shared/Failed.tsx'
import { currentLang } from '../../shared/i18n.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSettled } from '../../shared/useSettled.ts'

interface Values {
  names: string[]
  authorityId: number
  remark: string
  autoRenew: boolean
  bind: boolean
}

/** Domains of sites, found by typing; those of one site stand together. */
const useDomains = (typed: string) => {
  const key = useSettled(typed)
  return useQuery({
    queryKey: [...CERTS, 'domains', key],
    queryFn: ({ signal }) => call('site.list', { limit: 20, ...(key === '' ? {} : { key }) }, { signal }),
    select: ({ data }) =>
      data.list.map((site) => ({
        label: site.userName === '' ? site.domains[0] : `${site.domains[0]} · ${site.userName}`,
        title: site.domains[0] ?? '',
        options: site.domains.map((name) => ({ value: name, label: name, disabled: name.startsWith('*.') })),
      })),
    placeholderData: (old) => old,
  })
}

export const useAuthorities = () =>
  useQuery({
    queryKey: [...CERTS, 'authorities'],
    queryFn: async ({ signal }) => (await call('cert.authorities', {}, { signal })).data,
  })

const DomainsField = () => {
  const { t } = useTranslation('cert')
  const [typed, setTyped] = useState('')
  const domains = useDomains(typed)
  return (
    <Form.Item
      name="names"
      label={t('names')}
      extra={t('namesHint')}
      rules={[{ required: true, message: fieldText('required', currentLang()) }]}
    >
      <Select
        mode="multiple"
        showSearch={{ filterOption: false, onSearch: setTyped }}
        loading={domains.isFetching}
        options={domains.data ?? []}
      />
    </Form.Item>
  )
}

interface FormProps {
  authorities: readonly { id: number; name: string; isDefault: boolean }[]
  onApplied: (id: number) => void
}

const ApplyForm = ({ authorities, onApplied }: FormProps) => {
  const { t } = useTranslation('cert')
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    onApplied((await call('cert.apply', values)).id)
  })
  const first = authorities[0]
  if (first === undefined) return <Alert type="warning" title={t('noAuthority')} />
  const label = (one: (typeof authorities)[number]) =>
    one.isDefault ? t('authorityDefault', { name: one.name }) : one.name
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      initialValues={{ names: [], authorityId: first.id, remark: '', autoRenew: true, bind: true }}
      onFinish={save}
    >
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <DomainsField />
      <Form.Item name="authorityId" label={t('authority')}>
        <Select options={authorities.map((one) => ({ value: one.id, label: label(one) }))} />
      </Form.Item>
      <Form.Item name="remark" label={t('remark')}>
        <Input maxLength={255} />
      </Form.Item>
      <Form.Item name="bind" label={t('bind')} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Form.Item name="autoRenew" label={t('autoRenew')} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('submit')}
      </Button>
    </Form>
  )
}

const Progress = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const { t } = useTranslation('cert')
  const cert = useCert(id)
  if (cert.error !== null) return <Failed error={cert.error} onRetry={() => void cert.refetch()} />
  return (
    <div className="cert-progress">
      <strong>{cert.data?.names.join(', ')}</strong>
      {cert.data?.order ? <OrderProgress order={cert.data.order} /> : <div className="tg-bone" />}
      <Button onClick={onClose}>{t('close')}</Button>
    </div>
  )
}

const Body = ({ onClose }: { onClose: () => void }) => {
  const client = useQueryClient()
  const authorities = useAuthorities()
  const [id, setId] = useState<number | null>(null)
  if (id !== null) return <Progress id={id} onClose={onClose} />
  if (authorities.error !== null) return <Failed error={authorities.error} onRetry={() => void authorities.refetch()} />
  if (authorities.data === undefined) return <div className="tg-bone" />
  return (
    <ApplyForm
      authorities={authorities.data}
      onApplied={(made) => {
        setId(made)
        void client.invalidateQueries({ queryKey: CERTS })
      }}
    />
  )
}

export const ApplyDrawer = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation('cert')
  return (
    <Drawer open={open} onClose={onClose} title={t('apply')} size={520} destroyOnHidden>
      {open ? <Body onClose={onClose} /> : null}
    </Drawer>
  )
}
