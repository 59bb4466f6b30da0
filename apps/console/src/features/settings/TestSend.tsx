/** Sends one message at once with the form as it stands, saved or not, and shows what the other side answered. */
import type { NotifyFault } from '@tidegate/contract/config/notify'
import { fieldErrors } from '@tidegate/contract/issues'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import { Field } from '../../shared/Field.tsx'
import { currentLang } from '../../shared/i18n.ts'
import { useMay } from '../../shell/session.ts'
import type { RecordForm } from './form.ts'

type Answer = OutputOf<'notify.testMail'>['data']

const useFaultWords = (): Record<NotifyFault, string> => {
  const { t } = useTranslation('settings')
  return {
    none: '',
    not_configured: t('faultNotConfigured'),
    auth: t('faultAuth'),
    refused: t('faultRefused'),
    temporary: t('faultTemporary'),
    unreachable: t('faultUnreachable'),
    certificate: t('faultCertificate'),
    silent: t('faultSilent'),
    rate: t('faultRate'),
    switched_off: t('faultSwitchedOff'),
    expired: t('faultExpired'),
    private_address: t('faultPrivateAddress'),
  }
}

const Outcome = ({ answer }: { answer: Answer }) => {
  const { t } = useTranslation('settings')
  const faults = useFaultWords()
  const said = answer.answer === '' ? {} : { description: <span className="tg-mono">{answer.answer}</span> }
  return (
    <Alert
      role="status"
      type={answer.ok ? 'success' : 'error'}
      title={answer.ok ? t('testAccepted') : faults[answer.fault]}
      {...said}
    />
  )
}

interface Props<Config> {
  form: RecordForm
  schema: z.ZodType<Config>
  /** Form of an address. */
  address: z.ZodType
  title: string
  label: string
  button: string
  send: (input: { to: string; config: Config }) => Promise<{ data: Answer }>
}

const useTrial = <Config,>({ form, schema, address, send }: Props<Config>) => {
  const [to, setTo] = useState('')
  const [wrong, setWrong] = useState<string | undefined>()
  const [failed, setFailed] = useState('')
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const change = (next: string) => {
    setTo(next)
    setWrong(undefined)
  }
  const run = async () => {
    setAnswer(null)
    setFailed('')
    const checked = address.safeParse(to.trim(), { reportInput: true })
    setWrong(checked.success ? undefined : fieldErrors(checked.error, currentLang())[0]?.msg)
    const config = schema.safeParse(form.value, { reportInput: true })
    if (!config.success) for (const { path } of fieldErrors(config.error, currentLang())) form.touch(path)
    if (!checked.success || !config.success) return
    setBusy(true)
    try {
      setAnswer((await send({ to: to.trim(), config: config.data })).data)
    } catch (error) {
      const own = error instanceof ApiError ? error.failure.errors.find((e) => e.path === 'to')?.msg : undefined
      if (own === undefined) setFailed(errorLine(error))
      else setWrong(own)
    } finally {
      setBusy(false)
    }
  }
  return { to, change, wrong, failed, busy, answer, run }
}

export const TestSend = <Config,>(props: Props<Config>) => {
  const trial = useTrial(props)
  const { title, label, button } = props
  if (!useMay('system:notify:test')) return null
  return (
    <section className="tg-panel settings-panel" aria-label={title}>
      <header className="settings-head">
        <h2>{title}</h2>
      </header>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void trial.run()
        }}
      >
        <Field label={label} required error={trial.wrong}>
          {(control) => <Input {...control} value={trial.to} onChange={(e) => trial.change(e.target.value)} />}
        </Field>
        <div className="settings-foot">
          <Button htmlType="submit" loading={trial.busy}>
            {button}
          </Button>
        </div>
      </form>
      <div className="settings-answer" aria-live="polite">
        {trial.failed === '' ? null : <Alert type="error" title={trial.failed} />}
        {trial.answer === null ? null : <Outcome answer={trial.answer} />}
      </div>
    </section>
  )
}
