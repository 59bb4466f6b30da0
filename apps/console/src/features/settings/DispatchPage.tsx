/** Dispatching: mode, checks, notices, and the token of outside monitors. */
import { useQueryClient } from '@tanstack/react-query'
import { DISPATCH_LIMITS, dispatchConfig } from '@tidegate/contract/config/dispatch'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { Button, Radio } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Confirm } from '../../shared/Confirm.tsx'
import { Field } from '../../shared/Field.tsx'
import { MONITOR_KEY, useMonitorKey } from './api.ts'
import { NumberMember, SwitchMember, TextMember } from './fields.tsx'
import { type RecordForm, useRecordForm } from './form.ts'
import { RecordPanel } from './RecordPanel.tsx'
import { RecordsPage } from './RecordsPage.tsx'

const ModeMember = ({ form }: { form: RecordForm }) => {
  const { t } = useTranslation('settings')
  return (
    <Field label={t('dispatchMode')} hint={t('modeHint')}>
      {() => (
        <Radio.Group
          aria-label={t('dispatchMode')}
          value={form.text('DnsDispatchMode')}
          disabled={!form.row.editable}
          onChange={(e) => form.set('DnsDispatchMode', e.target.value)}
          options={[
            { value: 'online', label: t('modeOnline') },
            { value: 'timing', label: t('modeTiming') },
            { value: 'random', label: t('modeRandom') },
          ]}
        />
      )}
    </Field>
  )
}

const Dispatch = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(
    useMemo(() => switchedOn(row), [row]),
    dispatchConfig,
    {},
  )
  const { ModeTimingFrequency: cycle, checkNodeFrequency: check, failPercent: fail } = DISPATCH_LIMITS
  return (
    <RecordPanel form={form} title={t('dispatchRules')}>
      <ModeMember form={form} />
      {form.get('DnsDispatchMode') === 'timing' ? (
        <NumberMember
          form={form}
          path="ModeTimingFrequency"
          label={t('timingCycle')}
          required
          hint={t('rangeHint', { ...cycle })}
          min={cycle.min}
          step={cycle.step}
          suffix={t('seconds')}
        />
      ) : null}
      <TextMember form={form} path="checkNodePortList" label={t('checkPorts')} required hint={t('checkPortsHint')} />
      <NumberMember
        form={form}
        path="checkNodeFrequency"
        label={t('checkFrequency')}
        required
        hint={t('rangeHint', { ...check })}
        min={check.min}
        step={check.step}
        suffix={t('seconds')}
      />
      <NumberMember
        form={form}
        path="failPercent"
        label={t('failPercent')}
        required
        hint={t('failPercentHint')}
        min={fail.min}
        suffix="%"
      />
      <SwitchMember form={form} path="mailNoticeStatus" label={t('mailNotice')} on={1} off={0} />
      {form.get('mailNoticeStatus') === 1 ? (
        <TextMember form={form} path="mailNotice" label={t('mailNoticeTo')} required />
      ) : null}
      <SwitchMember form={form} path="smsNoticeStatus" label={t('smsNotice')} on={1} off={0} />
      {form.get('smsNoticeStatus') === 1 ? (
        <TextMember form={form} path="smsNotice" label={t('smsNoticeTo')} required hint={t('smsNoticeHint')} />
      ) : null}
    </RecordPanel>
  )
}

/** Where outside monitors come, and what they show. */
const Monitoring = ({ editable }: { editable: boolean }) => {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const key = useMonitorKey(editable)
  const [asked, setAsked] = useState(false)
  const data = key.data
  if (data === undefined) return null
  return (
    <section className="tg-panel settings-panel" aria-label={t('monitorApi')}>
      <header className="settings-head">
        <h2>{t('monitorApi')}</h2>
        <Button size="small" onClick={() => setAsked(true)}>
          {t('renew')}
        </Button>
      </header>
      <p className="tg-soft tg-small settings-intro">{t('monitorHint')}</p>
      <Field label="Token">
        {({ id }) => (
          <span id={id} className="tg-mono">
            {data.token} <CopyButton text={data.token} label="Token" />
          </span>
        )}
      </Field>
      <Field label={t('importUrl')}>
        {({ id }) => (
          <span id={id} className="tg-mono">
            {data.importUrl} <CopyButton text={data.importUrl} label={t('importUrl')} />
          </span>
        )}
      </Field>
      {asked ? (
        <Confirm
          title={t('renewTitle')}
          question={t('renewText')}
          okText={t('renew')}
          danger
          onOk={() => call('dispatch.renewKey', {})}
          onClose={(done) => {
            setAsked(false)
            if (done) void client.invalidateQueries({ queryKey: MONITOR_KEY })
          }}
        />
      ) : null}
    </section>
  )
}

/** An address that is stored switches its notice on. */
const switchedOn = (row: ConfigRow): ConfigRow => {
  const value = JSON.parse(row.paramValue) as Record<string, unknown>
  const statusOf = (address: unknown) => (address === '' || address === undefined ? 0 : 1)
  const notices = { mailNoticeStatus: statusOf(value.mailNotice), smsNoticeStatus: statusOf(value.smsNotice) }
  return { ...row, paramValue: JSON.stringify({ ...value, ...notices }) }
}

export const Page = () => {
  const { t } = useTranslation('settings')
  return (
    <RecordsPage paramClass="dispatch" title={t('dispatch')} sub={t('dispatchSub')}>
      {(recordOf) => {
        const row = recordOf('dispatch_config')
        return (
          <>
            <Monitoring editable={row.editable} />
            <Dispatch row={row} />
          </>
        )
      }}
    </RecordsPage>
  )
}
