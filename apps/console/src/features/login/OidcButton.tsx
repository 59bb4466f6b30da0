/** Logging in at the operator's own OpenID provider. The ticket stays in this tab; the provider's answer in the address is worth nothing without it. */
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { errorLine } from '../../shared/api/error.ts'
import { here } from '../../shared/console.ts'
import { useSite } from '../../shared/site-config.ts'
import { setToken } from '../../shared/token.ts'

const KEY = `${here.id}:oidc`

/** Takes the provider's answer out of the address, and the ticket out of the tab: both are good once. */
const takeAnswer = (): { ticket: string; query: string } | null => {
  const { search, pathname, hash } = window.location
  const params = new URLSearchParams(search)
  if (!params.has('state') || !(params.has('code') || params.has('error'))) return null
  const ticket = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  window.history.replaceState(window.history.state, '', pathname + hash)
  return ticket === null ? null : { ticket, query: search }
}

export const OidcButton = ({ onIn, onFailed }: { onIn: () => void; onFailed: (text: string) => void }) => {
  const { t } = useTranslation('login')
  const oidc = useSite((s) => s.index?.oidc)
  const [busy, setBusy] = useState(false)
  const run = (work: () => Promise<void>) => {
    setBusy(true)
    work().catch((error: unknown) => {
      onFailed(errorLine(error))
      setBusy(false)
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is taken once, when the page comes back from the provider
  useEffect(() => {
    const answer = here.audience === 'admin' ? takeAnswer() : null
    if (answer === null) return
    run(async () => {
      setToken((await call('auth.oidcFinish', answer, { quiet: true })).token)
      onIn()
    })
  }, [])
  if (!oidc || here.audience !== 'admin') return null
  return (
    <button
      type="button"
      className="login-submit login-outside"
      disabled={busy}
      onClick={() =>
        run(async () => {
          const { url, ticket } = await call('auth.oidcStart', {}, { quiet: true })
          sessionStorage.setItem(KEY, ticket)
          window.location.assign(url)
        })
      }
    >
      {t('outside', { name: oidc.name })}
    </button>
  )
}
