/** Logging in at the operator's own OpenID provider. */
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { errorLine } from '../../shared/api/error.ts'
import { here } from '../../shared/console.ts'
import { leaveForProvider, takeAnswer } from '../../shared/oidc.ts'
import { useSite } from '../../shared/site-config.ts'
import { setToken } from '../../shared/token.ts'

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
    const answer = takeAnswer()
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
          leaveForProvider(await call('auth.oidcStart', {}, { quiet: true }))
        })
      }
    >
      {t('outside', { name: oidc.name })}
    </button>
  )
}
