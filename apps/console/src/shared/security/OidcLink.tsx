/** Links one's own account with one at the operator's OpenID provider, where one logs in next. */
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { here } from '../console.ts'
import { leaveForProvider } from '../outside.ts'
import { useSite } from '../site-config.ts'
import { Ask } from './Ask.tsx'
import { Panel } from './Panel.tsx'

export const OidcLink = () => {
  const { t } = useTranslation('security')
  const oidc = useSite((s) => s.index?.oidc)
  const [asking, setAsking] = useState(false)
  if (!oidc || here.audience !== 'admin') return null
  const { name } = oidc
  return (
    <Panel
      title={t('outside', { name })}
      sub={t('outsideSub')}
      action={
        <Button size="small" onClick={() => setAsking(true)}>
          {t('outsideLink')}
        </Button>
      }
    >
      {asking ? (
        <Ask
          title={t('outside', { name })}
          text={t('outsideText', { name })}
          okText={t('next')}
          onClose={() => setAsking(false)}
          run={async ({ password }) => leaveForProvider(await call('auth.oidcLink', { password }))}
        />
      ) : null}
    </Panel>
  )
}
