/** What to purge: kind and entries, checked line by line before and by the server after sending. */
import { type FieldError, fieldErrors } from '@tidegate/contract/issues'
import { PURGE_MAX_ENTRIES } from '@tidegate/contract/limits'
import type { PURGE_KINDS } from '@tidegate/contract/node/config'
import { purgeIn } from '@tidegate/contract/operations/cache'
import { lines } from '@tidegate/contract/validators'
import { Alert, App, Button, Input, Segmented } from 'antd'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import { Field } from '../../shared/Field.tsx'
import { currentLang } from '../../shared/i18n.ts'

type Kind = (typeof PURGE_KINDS)[number]

/** The lines that are wrong, as a person counts them, or what is wrong with the whole. */
const useLineTexts = () => {
  const { t } = useTranslation('cache')
  return (errors: readonly FieldError[], entries: readonly string[]) =>
    errors.map(({ path, msg }) => {
      const at = /^entries\.(\d+)/.exec(path)?.[1]
      return at === undefined ? msg : t('lineError', { line: Number(at) + 1, text: entries[Number(at)] ?? '', msg })
    })
}

export const PurgeForm = ({ initial, onPurged }: { initial: string; onPurged: (id: number) => void }) => {
  const { t } = useTranslation('cache')
  const { message } = App.useApp()
  const [kind, setKind] = useState<Kind>('site')
  const [text, setText] = useState(initial)
  const [errors, setErrors] = useState<readonly string[]>([])
  const [failed, setFailed] = useState('')
  const [busy, setBusy] = useState(false)
  const lineTexts = useLineTexts()
  const entries = lines(text)
  const examples: Record<Kind, string> = { site: t('siteExample'), url: t('urlExample'), dir: t('dirExample') }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFailed('')
    const parsed = purgeIn.safeParse({ kind, entries }, { reportInput: true })
    setErrors(parsed.success ? [] : lineTexts(fieldErrors(parsed.error, currentLang()), entries))
    if (!parsed.success || busy) return
    setBusy(true)
    try {
      const { id } = await call('cache.purge', { kind, entries })
      message.success(t('submitted'))
      setText('')
      onPurged(id)
    } catch (error) {
      const found = error instanceof ApiError ? error.failure.errors : []
      setErrors(lineTexts(found, entries))
      if (found.length === 0) setFailed(errorLine(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="tg-panel tg-panel-body" noValidate onSubmit={(e) => void submit(e)}>
      {failed === '' ? null : <Alert type="error" title={failed} className="shell-alert" />}
      <Field label={t('kind')}>
        {() => (
          <Segmented<Kind>
            aria-label={t('kind')}
            value={kind}
            onChange={(value) => {
              setKind(value)
              setErrors([])
            }}
            options={[
              { value: 'site', label: t('site') },
              { value: 'url', label: t('url') },
              { value: 'dir', label: t('dir') },
            ]}
          />
        )}
      </Field>
      <Field label={t('entries')} required hint={t('entriesHint', { max: PURGE_MAX_ENTRIES[kind] })} error={errors}>
        {(control) => (
          <Input.TextArea
            {...control}
            value={text}
            onChange={(e) => setText(e.target.value)}
            autoSize={{ minRows: 4, maxRows: 12 }}
            spellCheck={false}
            placeholder={examples[kind]}
            className="tg-mono"
          />
        )}
      </Field>
      <div className="cache-submit">
        <Button type="primary" htmlType="submit" loading={busy}>
          {t('submit')}
        </Button>
        <span className="tg-faint">{t('lines', { n: entries.length })}</span>
      </div>
    </form>
  )
}
