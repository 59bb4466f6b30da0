/** Logging in elsewhere: administrators at the operator's OpenID provider, customers by WeChat. */
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { here } from '../../shared/console.ts'
import { answerWaits, leaveForProvider, takeAnswer } from '../../shared/outside.ts'
import { inAppPath, loginPath } from '../../shared/paths.ts'
import { useSite } from '../../shared/site-config.ts'
import type { Login } from './login.ts'

const WAYS = {
  admin: { start: 'auth.oidcStart', finish: 'auth.oidcFinish' },
  user: { start: 'auth.wechatStart', finish: 'auth.wechatFinish' },
} as const

/** What the button says; null: there is none. */
const useButtonText = (): string | null => {
  const { t } = useTranslation('login')
  const index = useSite((s) => s.index)
  if (here.audience === 'admin') return index?.oidc ? t('outside', { name: index.oidc.name }) : null
  return index?.wechat === true ? t('wechat') : null
}

export const OutsideButton = ({ login, onIn }: { login: Login; onIn: (to: string | null) => void }) => {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const text = useButtonText()
  const way = WAYS[here.audience]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is taken once, when the page comes back from the provider
  useEffect(() => {
    const mine = answerWaits() === 'login'
    const answer = takeAnswer()
    if (answer === null || !mine) return
    const { ticket, query, to } = answer
    // Whatever is still asked for here, it leads to where the person wanted to be.
    if (to !== null) void navigate(loginPath(to), { replace: true })
    void login.comeBack(() => call(way.finish, { ticket, query }, { quiet: true })).then((isIn) => isIn && onIn(to))
  }, [])
  if (text === null) return null
  return (
    <button
      type="button"
      className="login-submit login-outside"
      disabled={login.busy}
      onClick={() =>
        void login.leave(async () =>
          leaveForProvider(await call(way.start, {}, { quiet: true }), { to: inAppPath(search.get('redirect')) }),
        )
      }
    >
      {text}
    </button>
  )
}
