/** How blocked names are answered, and where the list takes effect. */
import { useQueryClient } from '@tanstack/react-query'
import { BLACK_ANSWERS, BLACK_TTL, type BlackAnswer, blackConfig } from '@tidegate/contract/config/black'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { Radio } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../../shared/Failed.tsx'
import { Field } from '../../../shared/Field.tsx'
import { useRecords } from '../api.ts'
import { NumberMember, SwitchMember, TextMember } from '../fields.tsx'
import { type RecordForm, useRecordForm } from '../form.ts'
import { RecordPanel } from '../RecordPanel.tsx'
import { BLACK } from './api.ts'
import { OwnServers } from './OwnServers.tsx'

const AnswerMember = ({ form }: { form: RecordForm }) => {
  const { t } = useTranslation('black')
  const words: Record<BlackAnswer, string> = {
    nxdomain: t('nxdomain'),
    nodata: t('nodata'),
    refused: t('refused'),
    address: t('address'),
  }
  return (
    <Field label={t('answer')}>
      {() => (
        <Radio.Group
          aria-label={t('answer')}
          className="black-radios"
          value={form.text('answer')}
          disabled={!form.row.editable}
          onChange={(e) => form.set('answer', e.target.value)}
          options={BLACK_ANSWERS.map((value) => ({ value, label: words[value] }))}
        />
      )}
    </Field>
  )
}

const Answering = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('black')
  const client = useQueryClient()
  const form = useRecordForm(row, blackConfig, {})
  const { version } = form.row
  // The rules for servers hold what is saved.
  useEffect(() => {
    if (version > 0) void client.invalidateQueries({ queryKey: BLACK })
  }, [client, version])
  const answer = form.get('answer')
  return (
    <RecordPanel form={form} title={t('answering')}>
      <SwitchMember form={form} path="enabled" label={t('blacklistOn')} />
      <AnswerMember form={form} />
      {answer === 'address' ? (
        <TextMember
          form={form}
          path="addresses"
          label={t('addresses')}
          required
          lines={3}
          hint={t('addressesHint')}
          placeholder="0.0.0.0"
        />
      ) : null}
      {answer === 'refused' ? null : (
        <NumberMember
          form={form}
          path="ttl"
          label={t('ttl')}
          required
          min={BLACK_TTL.min}
          hint={t('ttlHint')}
          suffix={t('seconds')}
        />
      )}
      <SwitchMember form={form} path="log" label={t('log')} />
      <TextMember form={form} path="exceptions" label={t('exceptions')} lines={6} hint={t('exceptionsHint')} />
    </RecordPanel>
  )
}

export const SettingTab = () => {
  const records = useRecords('dnsBlack')
  const row = records.data?.find((one) => one.paramKey === 'dns_black')
  if (records.error !== null) return <Failed error={records.error} onRetry={() => void records.refetch()} />
  if (row === undefined)
    return (
      <div className="tg-panel tg-panel-body">
        <div className="tg-bone" />
      </div>
    )
  return (
    <div className="settings-stack">
      <Answering row={row} />
      <OwnServers />
    </div>
  )
}
