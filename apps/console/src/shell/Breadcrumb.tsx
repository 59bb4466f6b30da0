/** Where the page stands; its home is /console. A detail page carries the way back to its list. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { currentLang } from '../shared/i18n.ts'
import { firstPath } from './menu.ts'

export const Breadcrumb = ({ chain }: { chain: readonly MenuItem[] }) => {
  const { t } = useTranslation('shell')
  const back = chain.at(-1)?.meta.hidden === true ? chain.at(-1)?.meta.selectMenu : undefined
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
          <Link to="/console">{t('home')}</Link>
        </li>
        {chain.map((item, i) => {
          const title = item.meta.title[currentLang()]
          const to = item.type === 1 ? item.url : firstPath(item.children)
          return (
            <li key={item.menuId}>
              {i === chain.length - 1 || to === null ? (
                <span aria-current={i === chain.length - 1 ? 'page' : undefined}>{title}</span>
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
