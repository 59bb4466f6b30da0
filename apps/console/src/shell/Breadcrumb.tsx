/** Where the page stands; its home is /console. A detail page carries the way back to its list. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { currentLang } from '../shared/i18n.ts'
import { crumbs, leadsTo } from './menu.ts'
import { useOpenAddress } from './tabs/address.ts'

const BackLink = ({ to }: { to: string }) => {
  const { t } = useTranslation('shell')
  return (
    <Link to={useOpenAddress(to)} className="shell-back">
      <Icon name="left" size={14} />
      {t('back')}
    </Link>
  )
}

export const Breadcrumb = ({ chain, home }: { chain: readonly MenuItem[]; home: string | null }) => {
  const { t } = useTranslation('shell')
  const last = chain.at(-1)
  const back = last?.meta.hidden === true ? last.meta.selectMenu : undefined
  const shown = crumbs(chain, home, currentLang())
  return (
    <nav className="shell-crumbs" aria-label={t('breadcrumb')}>
      {back === undefined ? null : <BackLink to={back} />}
      <ol>
        <li>
          <Link to="/console" aria-label={t('home')} title={t('home')}>
            <Icon name="home" size={14} />
          </Link>
        </li>
        {shown.map((item, i) => {
          const title = item.meta.title[currentLang()]
          const to = leadsTo(item)
          return (
            <li key={item.menuId}>
              {i === shown.length - 1 || to === null ? (
                <span aria-current={i === shown.length - 1 ? 'page' : undefined}>{title}</span>
              ) : (
                <Link to={to}>{title}</Link>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
