/** Open logins of an account. */
import type { OpenLogin } from '@tidegate/contract/operations/security'
import { deviceOf } from '@tidegate/contract/user-agent'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { App, Button, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSay } from '../useSay.tsx'
import { Panel } from './Panel.tsx'

const Row = ({ login, onEnd }: { login: OpenLogin; onEnd: () => void }) => {
  const { t } = useTranslation('security')
  return (
    <li>
      <div title={login.userAgent}>
        {deviceOf(login.userAgent) || t('unknownDevice')} {login.own ? <Tag>{t('thisOne')}</Tag> : null}
        <small>
          <span className="tg-mono">{login.ip}</span> · {t('since')} <RelativeTime iso={login.createTime} /> ·{' '}
          {t('used')} <RelativeTime iso={login.lastUse} />
        </small>
      </div>
      {login.own ? null : (
        <button type="button" className="tg-link-button tg-danger" onClick={onEnd}>
          {t('end')}
        </button>
      )}
    </li>
  )
}

interface Props {
  logins: readonly OpenLogin[]
  /** Ends all but the one that asks. */
  endAll: string
  /** `id` absent: all but the one that asks. */
  revoke: (id?: number) => Promise<{ count: number }>
  onChanged: () => void
}

export const Logins = ({ logins, endAll, revoke, onChanged }: Props) => {
  const { t } = useTranslation('security')
  const { message } = App.useApp()
  const say = useSay()
  const end = async (id?: number) => {
    try {
      const { count } = await revoke(id)
      message.success(t('ended', { count }))
    } catch (error) {
      say.failed(error)
    }
    onChanged()
  }
  const others = logins.some((login) => !login.own)
  return (
    <Panel
      title={t('logins')}
      sub={t('loginsSub')}
      action={
        others ? (
          <Button size="small" danger onClick={() => void end()}>
            {endAll}
          </Button>
        ) : undefined
      }
    >
      <ul className="security-list">
        {logins.map((login) => (
          <Row key={login.id} login={login} onEnd={() => void end(login.id)} />
        ))}
        {logins.length === 0 ? <li className="tg-faint">{t('loginsNone')}</li> : null}
      </ul>
    </Panel>
  )
}
