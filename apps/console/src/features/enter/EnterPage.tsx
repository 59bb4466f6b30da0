/** Turns the code in the address into a login of this tab, and goes on to the first page. The code is good once; no token ever stands in an address. */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { errorLine } from '../../shared/api/error.ts'
import { actAs } from '../../shared/token.ts'
import './texts.ts'

export const Page = () => {
  const { t } = useTranslation('enter')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [failed, setFailed] = useState('')
  const begun = useRef(false)
  const code = search.get('code') ?? ''
  useEffect(() => {
    // The code is used up by the first call: a second run of the effect must not make another.
    if (begun.current) return
    begun.current = true
    call('acting.enter', { code }, { quiet: true, keep: true }).then(
      ({ token, acting }) => {
        actAs({ token, acting })
        void navigate('/console', { replace: true })
      },
      (error: unknown) => setFailed(errorLine(error)),
    )
  }, [code, navigate])
  return (
    <main className="tg-empty">
      <h1>{t('title')}</h1>
      <p role="alert">{failed}</p>
    </main>
  )
}
