/** Compares one name with one number by the form as it stands, saved or not, and shows what the provider said. */
import { type IdentityVerdict, identityConfig } from '@tidegate/contract/config/services'
import { fieldErrors } from '@tidegate/contract/issues'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { idCard } from '@tidegate/contract/validators'
import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { call } from '../../shared/api/call.ts'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import { Field } from '../../shared/Field.tsx'
import { currentLang } from '../../shared/i18n.ts'
import { useMay } from '../../shell/session.ts'
import type { RecordForm } from './form.ts'

type Answer = OutputOf<'realName.test'>['data']
type Errors = Readonly<Record<string, string>>

const filled = z.string().trim().min(1, { error: 'required' })
const person = z.object({ realName: filled.min(2, { error: 'required' }), idCard: filled.pipe(idCard) })
const TYPES = { match: 'success', mismatch: 'warning', unknown: 'warning', failed: 'error' } as const

/** Texts of what is wrong, by field. */
const faultsOf = (error: z.ZodError): Errors =>
  Object.fromEntries(fieldErrors(error, currentLang()).map(({ path, msg }) => [path, msg]))

const useTrial = (form: RecordForm) => {
  const [typed, setTyped] = useState({ realName: '', idCard: '' })
  const [errors, setErrors] = useState<Errors>({})
  const [state, setState] = useState<{ busy: boolean; failed: string; answer: Answer | null }>({
    busy: false,
    failed: '',
    answer: null,
  })
  const change = (name: keyof typeof typed) => (text: string) => {
    setTyped((old) => ({ ...old, [name]: text }))
    setErrors({})
  }
  const show = (error: unknown) => {
    const found = error instanceof ApiError ? error.failure.errors : []
    setErrors(Object.fromEntries(found.map(({ path, msg }) => [path, msg])))
    const rest = found.filter(({ path }) => !(path in typed)).map(({ msg }) => msg)
    const failed = found.length === 0 ? errorLine(error) : rest.join(' · ')
    setState({ busy: false, failed, answer: null })
  }
  const run = async () => {
    setState({ busy: true, failed: '', answer: null })
    const who = person.safeParse(typed, { reportInput: true })
    setErrors(who.success ? {} : faultsOf(who.error))
    const config = identityConfig.safeParse(form.value, { reportInput: true })
    if (!config.success) for (const path of Object.keys(faultsOf(config.error))) form.touch(path)
    if (!who.success || !config.success) return setState({ busy: false, failed: '', answer: null })
    try {
      const { data } = await call('realName.test', { ...who.data, config: config.data })
      setState({ busy: false, failed: '', answer: data })
    } catch (error) {
      show(error)
    }
  }
  return { typed, change, errors, ...state, run }
}

export const IdentityTest = ({
  form,
  verdicts,
}: {
  form: RecordForm
  verdicts: Readonly<Record<IdentityVerdict, string>>
}) => {
  const { t } = useTranslation('settings')
  const trial = useTrial(form)
  const { answer } = trial
  if (!useMay('system:api:test')) return null
  return (
    <section className="tg-panel settings-panel" aria-label={t('identityTest')}>
      <header className="settings-head">
        <h2>{t('identityTest')}</h2>
      </header>
      <form
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          void trial.run()
        }}
      >
        <Field label={t('identityName')} required error={trial.errors.realName}>
          {(control) => (
            <Input
              {...control}
              value={trial.typed.realName}
              onChange={(e) => trial.change('realName')(e.target.value)}
            />
          )}
        </Field>
        <Field label={t('identityNumber')} required error={trial.errors.idCard} hint={t('identityNumberHint')}>
          {(control) => (
            <Input
              {...control}
              className="tg-mono"
              maxLength={18}
              value={trial.typed.idCard}
              onChange={(e) => trial.change('idCard')(e.target.value)}
            />
          )}
        </Field>
        <div className="settings-foot">
          <Button htmlType="submit" loading={trial.busy}>
            {t('identityTry')}
          </Button>
        </div>
      </form>
      <div className="settings-answer" aria-live="polite">
        {trial.failed === '' ? null : <Alert type="error" title={trial.failed} />}
        {answer === null ? null : (
          <Alert
            role="status"
            type={TYPES[answer.verdict]}
            title={verdicts[answer.verdict]}
            description={<span className="tg-mono">{answer.answer}</span>}
          />
        )}
      </div>
    </section>
  )
}
