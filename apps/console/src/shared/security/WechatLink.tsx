/** The WeChat account that logs in as a customer, for administrators: seen and unlinked. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { App, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { Confirm } from '../Confirm.tsx'
import { Panel } from './Panel.tsx'

interface Props {
  id: number
  /** Of the customer. */
  name: string
  link: NonNullable<OutputOf<'userSecurity.info'>['data']['wechat']>
  onUnlinked: () => void
}

export const WechatLink = ({ id, name, link, onUnlinked }: Props) => {
  const { t } = useTranslation('security')
  const { message } = App.useApp()
  const [asking, setAsking] = useState(false)
  return (
    <Panel
      title={t('wechat')}
      sub={t('wechatSub')}
      action={
        <Button size="small" danger onClick={() => setAsking(true)}>
          {t('wechatUnlink')}
        </Button>
      }
    >
      <ul className="security-list">
        <li>
          <div>
            {link.nickname === '' ? t('wechatNameless') : link.nickname}
            <small>
              {t('wechatLinked')} <RelativeTime iso={link.time} />
            </small>
          </div>
        </li>
      </ul>
      {asking ? (
        <Confirm
          title={t('wechatUnlinkTitle')}
          question={t('wechatUnlinkText', { name })}
          okText={t('wechatUnlink')}
          danger
          onOk={() => call('userSecurity.wechatUnlink', { id })}
          onClose={(done) => {
            setAsking(false)
            if (!done) return
            message.success(t('wechatUnlinked'))
            onUnlinked()
          }}
        />
      ) : null}
    </Panel>
  )
}
