/** Second factors and open logins of someone else's account, for administrators: end the logins, take the factors of who lost them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { Confirm } from '../Confirm.tsx'
import { Failed } from '../Failed.tsx'
import { useSay } from '../useSay.tsx'
import { OTHERS_SECURITY } from './api.ts'
import { Logins } from './Logins.tsx'
import { Panel } from './Panel.tsx'
import { WechatLink } from './WechatLink.tsx'
import './security.css'
import './texts.ts'

interface Props {
  kind: 'admin' | 'user'
  id: number
  /** Of the account. */
  name: string
}

/** The same operations stand once for each kind of account. */
const CALLS = {
  admin: {
    info: async (id: number, signal: AbortSignal) => {
      const { data } = await call('adminSecurity.info', { id }, { signal })
      return { ...data, wechat: null }
    },
    revoke: (id: number, sessionId?: number) => call('adminSecurity.revoke', { id, sessionId }),
    reset: (id: number) => call('adminSecurity.factorReset', { id }),
  },
  user: {
    info: async (id: number, signal: AbortSignal) => (await call('userSecurity.info', { id }, { signal })).data,
    revoke: (id: number, sessionId?: number) => call('userSecurity.revoke', { id, sessionId }),
    reset: (id: number) => call('userSecurity.factorReset', { id }),
  },
}

export const OthersSecurity = ({ kind, id, name }: Props) => {
  const { t } = useTranslation('security')
  const say = useSay()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const key = [...OTHERS_SECURITY, kind, id]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => CALLS[kind].info(id, signal),
  })
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <div className="tg-bone" />
  const changed = () => void client.invalidateQueries({ queryKey: key })
  const { factors, logins, wechat } = data
  return (
    <div className="security">
      <Panel
        title={t('factors')}
        sub={factors.length === 0 ? t('othersNone') : t('othersSub')}
        action={
          factors.length > 0 ? (
            <Button size="small" danger onClick={() => setAsking(true)}>
              {t('othersReset')}
            </Button>
          ) : undefined
        }
      >
        <ul className="security-list">
          {factors.map((factor) => (
            <li key={factor.id}>
              <Icon name={factor.kind === 'totp' ? 'clock' : 'lock'} />
              <div>
                {factor.kind === 'totp' ? t('app') : factor.name}
                <small>
                  {t('added')} <RelativeTime iso={factor.createTime} />
                </small>
              </div>
            </li>
          ))}
        </ul>
      </Panel>
      {wechat === null ? null : <WechatLink id={id} name={name} link={wechat} onUnlinked={changed} />}
      <Logins
        logins={logins}
        endAll={t('endAll')}
        revoke={(sessionId) => CALLS[kind].revoke(id, sessionId)}
        onChanged={changed}
      />
      {asking ? (
        <Confirm
          title={t('othersReset')}
          question={t('othersResetText', { name })}
          okText={t('remove')}
          danger
          onOk={() => CALLS[kind].reset(id)}
          onClose={(done) => {
            setAsking(false)
            if (!done) return
            say.ok('deleted')
            changed()
          }}
        />
      ) : null}
    </div>
  )
}
