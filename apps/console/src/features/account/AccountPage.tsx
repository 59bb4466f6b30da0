/** A customer's own account: who it is, real name, bound addresses, password, second factor, open logins. */
import { useQueryClient } from '@tanstack/react-query'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { actingNow } from '../../shared/acting.ts'
import { Fact, Facts } from '../../shared/Facts.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { usePrice } from '../../shared/price.ts'
import { SecurityPanels } from '../../shared/security/SecurityPanels.tsx'
import { PROFILE, type Profile, useProfile } from './api.ts'
import { Contacts } from './Contacts.tsx'
import { Notices } from './Notices.tsx'
import { Password } from './Password.tsx'
import { RealName } from './RealName.tsx'
import './account.css'
import './texts.ts'

const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="tg-panel tg-panel-body" aria-label={title}>
    <div className="tg-panel-head">
      <h2>{title}</h2>
    </div>
    {children}
  </section>
)

const Basics = ({ profile }: { profile: Profile }) => {
  const { t } = useTranslation('account')
  const price = usePrice()
  return (
    <Facts>
      <Fact label={t('username')}>{profile.username}</Fact>
      <Fact label={t('balance')}>{price(profile.balance)}</Fact>
      <Fact label={t('created')}>
        <RelativeTime iso={profile.createTime} both />
      </Fact>
      <Fact label={t('lastLogin')}>
        <span className="tg-two">
          <RelativeTime iso={profile.lastLogin} both />
          <span className="tg-mono tg-faint">{profile.lastLoginIp}</span>
        </span>
      </Fact>
    </Facts>
  )
}

export const Page = () => {
  const { t } = useTranslation('account')
  const client = useQueryClient()
  const profile = useProfile()
  const changed = () => void client.invalidateQueries({ queryKey: PROFILE })
  if (profile.data === undefined)
    return (
      <PageBody title={t('title')} sub={t('sub')}>
        {profile.error === null ? (
          <div className="tg-bone" />
        ) : (
          <Failed error={profile.error} onRetry={() => void profile.refetch()} />
        )}
      </PageBody>
    )
  return (
    <PageBody title={t('title')} sub={t('sub')}>
      <section className="tg-panel" aria-label={t('basics')}>
        <Basics profile={profile.data} />
      </section>
      <div className="page-grid page-grid-even">
        <Panel title={t('contacts')}>
          <Contacts profile={profile.data} onChanged={changed} />
        </Panel>
        <Panel title={t('verify')}>
          <RealName profile={profile.data} onChanged={changed} />
        </Panel>
        <Panel title={t('changePassword')}>
          <Password />
        </Panel>
        <Panel title={t('notices')}>
          <Notices />
        </Panel>
        {actingNow() === null ? <SecurityPanels /> : null}
      </div>
    </PageBody>
  )
}
