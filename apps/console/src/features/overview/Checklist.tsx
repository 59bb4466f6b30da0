/** The first steps of a new installation; gone once all are done. */
import { Icon } from '@tidegate/ui/Icon.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { StateData } from './api.ts'

type Item = StateData['checklist'][number]

const PATHS: Record<Item['key'], string> = {
  node: '/cdn/node/list?install=1',
  site: '/cdn/site/list?add=1',
  traffic: '/cdn/site/list',
  certificate: '/cdn/site/list',
}

export const Checklist = ({ items }: { items: readonly Item[] }) => {
  const { t } = useTranslation('overview')
  if (items.every((item) => item.done)) return null
  const texts: Record<Item['key'], [string, string]> = {
    node: [t('stepNode'), t('stepNodeText')],
    site: [t('stepSite'), t('stepSiteText')],
    traffic: [t('stepTraffic'), t('stepTrafficText')],
    certificate: [t('stepCertificate'), t('stepCertificateText')],
  }
  const next = items.find((item) => !item.done)?.key
  return (
    <section className="tg-panel overview-steps" aria-label={t('firstSteps')}>
      <ol>
        {items.map((item, i) => (
          <li key={item.key} className={item.done ? 'overview-done' : item.key === next ? 'overview-next' : ''}>
            <span className="overview-step" aria-hidden="true">
              {item.done ? <Icon name="check" size={13} /> : i + 1}
            </span>
            <div>
              {item.done ? <span>{texts[item.key][0]}</span> : <Link to={PATHS[item.key]}>{texts[item.key][0]}</Link>}
              <small>{item.done ? t('stepDone') : texts[item.key][1]}</small>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
