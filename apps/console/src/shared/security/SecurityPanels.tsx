/** Second factors, open logins and allowed addresses of one's own account, for the pages of both audiences. */
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { Failed } from '../Failed.tsx'
import { Addresses } from './Addresses.tsx'
import { SECURITY, useSecurity } from './api.ts'
import { Factors } from './Factors.tsx'
import { Logins } from './Logins.tsx'
import { OidcLink } from './OidcLink.tsx'
import './security.css'
import './texts.ts'

export const SecurityPanels = () => {
  const { t } = useTranslation('security')
  const client = useQueryClient()
  const { data, error, refetch } = useSecurity()
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <div className="tg-bone" />
  const changed = () => void client.invalidateQueries({ queryKey: SECURITY })
  return (
    <>
      <Factors state={data} onChanged={changed} />
      <Logins
        logins={data.logins}
        endAll={t('endOthers')}
        revoke={(id) => call('security.revoke', id === undefined ? {} : { id })}
        onChanged={changed}
      />
      <Addresses status={data.whiteIpStatus} ips={data.whiteIps} ip={data.ip} onChanged={changed} />
      <OidcLink />
    </>
  )
}
