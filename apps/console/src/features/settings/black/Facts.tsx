/** How much there is, and what decides on a name. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import { useUi } from '@tidegate/ui/context'
import { grouped } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Button, Input } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/call.ts'
import { ApiError, errorLine } from '../../../shared/api/error.ts'
import type { BlackState } from './api.ts'
import { written } from './words.ts'

type Checked = OutputOf<'black.check'>['data']

const Verdict = ({ found }: { found: Checked }) => {
  const { t } = useTranslation('black')
  const { domain, blocked, by, entry, match } = found
  const off = by === 'entry' && !blocked
  return (
    <span className="black-verdict">
      <StatusDot tone={blocked ? 'bad' : off ? 'warn' : 'good'}>
        {blocked ? t('checkBlocked', { domain }) : off ? t('checkOff', { domain }) : t('checkFree', { domain })}
      </StatusDot>
      {entry === null ? null : <span className="tg-soft">{t('checkEntry', { match: written(entry) })}</span>}
      {by === 'exception' ? <span className="tg-soft">{t('checkException', { match })}</span> : null}
    </span>
  )
}

const Check = () => {
  const { t } = useTranslation('black')
  const id = useId()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<Checked | null>(null)
  const [wrong, setWrong] = useState('')
  const run = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFound(null)
    setWrong('')
    try {
      setFound((await call('black.check', { domain: name })).data)
    } catch (error) {
      const [first] = error instanceof ApiError ? error.failure.errors : []
      setWrong(first?.msg ?? errorLine(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="black-check" onSubmit={(event) => void run(event)} noValidate>
      <label htmlFor={id} className="tg-soft">
        {t('check')}
      </label>
      <Input
        id={id}
        className="tg-mono black-check-name"
        value={name}
        onChange={(e) => setName(e.target.value)}
        placeholder="www.example.com"
        spellCheck={false}
        autoComplete="off"
        status={wrong === '' ? '' : 'error'}
      />
      <Button htmlType="submit" loading={busy}>
        {t('checkDo')}
      </Button>
      <span role="status" className="black-check-answer">
        {found === null ? null : <Verdict found={found} />}
        {wrong === '' ? null : <span className="tg-danger">{wrong}</span>}
      </span>
    </form>
  )
}

export const Facts = ({ state }: { state: BlackState | undefined }) => {
  const { t } = useTranslation('black')
  const { lang } = useUi()
  return (
    <section className="tg-panel black-facts">
      <p className="tg-soft">
        {state === undefined ? null : (
          <>
            {t('total', { total: grouped(state.total, lang), active: grouped(state.active, lang) })}
            {state.changeTime === '' ? null : (
              <span className="black-changed">
                {t('changed')} <RelativeTime iso={state.changeTime} />
              </span>
            )}
          </>
        )}
      </p>
      <Check />
    </section>
  )
}
