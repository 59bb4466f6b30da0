/** What scopes are called, and how an entry is written. */
import type { BlackScope } from '@tidegate/contract/black'
import { useTranslation } from 'react-i18next'

export const useScopeWords = () => {
  const { t } = useTranslation('black')
  const long: Record<BlackScope, string> = { tree: t('tree'), name: t('name') }
  const short: Record<BlackScope, string> = { tree: t('treeShort'), name: t('nameShort') }
  return { long, short }
}

/** As in a list: `*.` before a name that is blocked with everything below it. */
export const written = ({ domain, scope }: { domain: string; scope: BlackScope }): string =>
  scope === 'tree' ? `*.${domain}` : domain
