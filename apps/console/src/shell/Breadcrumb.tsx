/** Where the page stands; its home is /console. A detail page carries the way back to its list. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { currentLang } from '../shared/i18n.ts'
import { firstPath } from './menu.ts'

/** The entries after the home; the section that only leads to the home's page would say it twice. */
const afterHome = (chain: readonly MenuItem[], home: string | null) =>
  chain.filter((item, i) => i === chain.length - 1 || item.type === 1 || firstPath(item.children) !== home)

export const Breadcrumb = ({ chain, home }: { chain: readonly MenuItem[]; home: string | null }) => {
  const { t } = useTranslation('shell')
  const back = chain.at(-1)?.meta.hidden === true ? chain.at(-1)?.meta.selectMenu : undefined
  const shown = afterHome(chain, home)
  return (
    <nav className="shell-crumbs" aria-label={t('breadcrumb')}>
      {back === undefined ? null : (
        <Link to={back} className="shell-back">
          <Icon name="left" size={14} />
          {t('back')}
        </Link>
      )}
      <ol>
        <li>
          <Link to="/console" aria-label={t('home')} title={t('home')}>
            <Icon name="home" size={14} />
          </Link>
        </li>
        {shown.map((item, i) => {
          const title = item.meta.title[currentLang()]
          const to = item.type === 1 ? item.url : firstPath(item.children)
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
