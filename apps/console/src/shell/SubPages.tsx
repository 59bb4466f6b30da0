/** The pages that share this one's place in the menu, in its head. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { currentLang } from '../shared/i18n.ts'
import { subPages, trimmed } from './menu.ts'
import { prefetch, useOpenAddress } from './tabs/address.ts'

const SubLink = ({ item, here }: { item: MenuItem; here: boolean }) => (
  <Link
    to={useOpenAddress(item.url)}
    className={here ? 'shell-sub-on' : undefined}
    aria-current={here ? 'page' : undefined}
    onMouseEnter={() => prefetch(item.url)}
    onFocus={() => prefetch(item.url)}
  >
    {item.meta.title[currentLang()]}
  </Link>
)

export const SubPages = ({ chain }: { chain: readonly MenuItem[] }) => {
  const { t } = useTranslation('shell')
  const pages = subPages(chain)
  if (pages.length === 0) return null
  const own = trimmed(chain.at(-1)?.url ?? '')
  return (
    <nav className="shell-subs" aria-label={t('subPages')}>
      {pages.map((item) => (
        <SubLink key={item.menuId} item={item} here={trimmed(item.url) === own} />
      ))}
    </nav>
  )
}
