/** The first steps of a new installation, or of a new account; gone once all are done. */
import { Icon } from '@tidegate/ui/Icon.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { StateData } from './api.ts'
import { useLeads } from './leads.ts'

type Item = StateData['checklist'][number]

interface Step {
  name: string
  /** What to do, while it is not done. */
  text: ReactNode
  /** Where it is done. */
  path: string
}

/** Each step with its number or its tick; the first that is not done stands out. Those whose screen this console does not have are another one's. */
export const Steps = <Key extends string>({
  items: given,
  steps,
}: {
  items: readonly { key: Key; done: boolean }[]
  steps: Readonly<Record<Key, Step>>
}) => {
  const { t } = useTranslation('overview')
  const leads = useLeads()
  const items = given.filter(({ key }) => leads(steps[key].path))
  if (items.every((item) => item.done)) return null
  const next = items.find((item) => !item.done)?.key
  return (
    <section className="tg-panel overview-steps" aria-label={t('firstSteps')}>
      <ol>
        {items.map(({ key, done }, i) => {
          const { name, text, path } = steps[key]
          return (
            <li key={key} className={done ? 'overview-done' : key === next ? 'overview-next' : ''}>
              <span className="overview-step" aria-hidden="true">
                {done ? <Icon name="check" size={13} /> : i + 1}
              </span>
              <div>
                {done ? <span>{name}</span> : <Link to={path}>{name}</Link>}
                <small>{done ? t('stepDone') : text}</small>
              </div>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

export const Checklist = ({ items }: { items: readonly Item[] }) => {
  const { t } = useTranslation('overview')
  const steps: Record<Item['key'], Step> = {
    node: { name: t('stepNode'), text: t('stepNodeText'), path: '/cdn/node/list?install=1' },
    site: { name: t('stepSite'), text: t('stepSiteText'), path: '/cdn/site/list?add=1' },
    traffic: { name: t('stepTraffic'), text: t('stepTrafficText'), path: '/cdn/site/list' },
    certificate: { name: t('stepCertificate'), text: t('stepCertificateText'), path: '/cdn/site/list' },
  }
  return <Steps items={items} steps={steps} />
}
