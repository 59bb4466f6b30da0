/** The three parts of the page: what was agreed, what the installation holds, what it is. */
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { useUi } from '@tidegate/ui/context'
import { absolute, bytes, figureText, grouped } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Fact, Facts } from '../../shared/Facts.tsx'
import { chainTo } from '../../shell/menu.ts'
import { useSession } from '../../shell/session.ts'
import type { License } from './api.ts'

const TONES: Record<License['state'], Tone> = {
  community: 'good',
  valid: 'good',
  expired: 'warn',
  elsewhere: 'bad',
  forged: 'bad',
}
/** Fewer days than this are worth a mark. */
const SOON_DAYS = 30

const useStateWords = (): Record<License['state'], [word: string, text: string]> => {
  const { t } = useTranslation('license')
  return {
    community: [t('community'), t('communityText')],
    valid: [t('valid'), ''],
    expired: [t('expired'), t('expiredText')],
    elsewhere: [t('elsewhere'), t('elsewhereText')],
    forged: [t('forged'), t('forgedText')],
  }
}

const Terms = ({ license, here }: { license: NonNullable<License['license']>; here: string }) => {
  const { t } = useTranslation('license')
  const { daysLeft } = license
  const soon = daysLeft !== null && daysLeft > 0 && daysLeft <= SOON_DAYS
  return (
    <Facts>
      <Fact label={t('holder')}>{license.holder}</Fact>
      <Fact label={t('supplier')}>{license.supplier}</Fact>
      {license.contact === '' ? null : <Fact label={t('contact')}>{license.contact}</Fact>}
      <Fact label={t('number')}>
        <span className="tg-mono">{license.id}</span>
      </Fact>
      <Fact label={t('issued')}>{license.issued}</Fact>
      <Fact
        label={t('until')}
        {...(soon && { tone: 'warn', state: daysLeft === 1 ? t('lastDay') : t('daysLeft', { n: daysLeft }) })}
      >
        {license.until || t('endless')}
        {!soon && daysLeft !== null && daysLeft > 0 ? (
          <span className="tg-faint"> · {t('daysLeft', { n: daysLeft })}</span>
        ) : null}
      </Fact>
      <Fact label={t('boundTo')}>
        {license.installation === '' ? (
          t('anyInstallation')
        ) : license.installation === here ? (
          t('thisInstallation')
        ) : (
          <span className="tg-mono">{license.installation}</span>
        )}
      </Fact>
      <Fact label={t('addedBy', { name: license.addedBy })}>
        <RelativeTime iso={license.addedTime} both />
      </Fact>
    </Facts>
  )
}

export const Agreement = ({ data }: { data: License }) => {
  const { t } = useTranslation('license')
  const [word, text] = useStateWords()[data.state]
  return (
    <section className="tg-panel" aria-label={t('state')}>
      <header className="license-head">
        <h2>{t('state')}</h2>
        <StatusDot tone={TONES[data.state]}>{word}</StatusDot>
      </header>
      {text === '' ? null : <p className="license-text">{text}</p>}
      {data.license === null ? null : <Terms license={data.license} here={data.installation.id} />}
    </section>
  )
}

export const Use = ({ data }: { data: License }) => {
  const { t } = useTranslation('license')
  const { lang } = useUi()
  // What is not permitted, or in the other console, is no link.
  const menu = useSession((session) => session.menu)
  const rows = [
    {
      key: 'nodes',
      name: t('nodes'),
      path: '/cdn/node/list',
      ...data.nodes,
      word: t('online', { n: data.nodes.active }),
    },
    {
      key: 'sites',
      name: t('sites'),
      path: '/cdn/site/list',
      ...data.sites,
      word: t('enabled', { n: data.sites.active }),
    },
    {
      key: 'customers',
      name: t('customers'),
      path: '/account/users/users',
      ...data.customers,
      word: t('enabled', { n: data.customers.active }),
    },
  ]
  return (
    <section className="tg-panel" aria-label={t('use')}>
      <header className="license-head">
        <h2>{t('use')}</h2>
      </header>
      <table className="license-table">
        <thead>
          <tr>
            <th scope="col">{t('what')}</th>
            <th scope="col">{t('used')}</th>
            <th scope="col">{t('active')}</th>
            <th scope="col">{t('agreed')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, path, used, limit, word }) => (
            <tr key={key}>
              <th scope="row">{chainTo(menu, path).length > 0 ? <Link to={path}>{name}</Link> : name}</th>
              <td>{grouped(used, lang)}</td>
              <td className="tg-soft">{word}</td>
              <td>
                {limit === null ? <span className="tg-faint">{t('noLimit')}</span> : grouped(limit, lang)}
                {limit !== null && used > limit ? (
                  <div>
                    <StatusDot tone="warn">{t('over', { n: grouped(used - limit, lang) })}</StatusDot>
                  </div>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const useUptime = (seconds: number): string => {
  const { t } = useTranslation('license')
  const hours = Math.floor(seconds / 3600)
  return hours >= 24
    ? t('days', { d: Math.floor(hours / 24), h: hours % 24 })
    : t('hours', { h: hours, m: Math.floor((seconds % 3600) / 60) })
}

export const Installation = ({ data }: { data: License }) => {
  const { t } = useTranslation('license')
  const { lang, timeZone } = useUi()
  const { product, database, disk, installation, suppliers } = data
  const size = (n: number) => figureText(bytes(n, lang))
  const uptime = useUptime(product.uptime)
  return (
    <section className="tg-panel" aria-label={t('system')}>
      <header className="license-head">
        <h2>{t('system')}</h2>
      </header>
      <Facts>
        <Fact label={t('version')}>
          {product.version} <span className="tg-faint">Node {product.node}</span>
        </Fact>
        <Fact label={t('build')}>
          {product.built === '' ? (
            <span className="tg-soft">{t('fromSources')}</span>
          ) : (
            <>
              <span className="tg-mono">{product.commit || '–'}</span>{' '}
              <span className="tg-faint">{absolute(product.built, timeZone)}</span>
            </>
          )}
        </Fact>
        <Fact label={t('uptime')}>{uptime}</Fact>
        <Fact label={t('database')}>
          PostgreSQL {database.version} · {size(database.bytes)} · {database.outside ? t('outside') : t('embedded')}
        </Fact>
        <Fact
          label={t('disk')}
          tone={disk.low ? 'bad' : disk.short ? 'warn' : 'good'}
          state={disk.low ? t('diskLow') : disk.short ? t('diskShort') : t('diskOk')}
        >
          {t('freeOf', { free: size(disk.free), total: size(disk.total) })}
        </Fact>
        <Fact label={t('since')}>
          <RelativeTime iso={installation.since} both />
        </Fact>
        <Fact label={t('installationId')}>
          <span className="tg-row-tight">
            <code className="tg-mono">{installation.id}</code>
            <CopyButton text={installation.id} label={t('installationId')} />
          </span>
        </Fact>
        <Fact label={t('suppliers')}>
          {suppliers.length === 0 ? (
            <span className="tg-soft">{t('none')}</span>
          ) : (
            <span className="tg-mono">{suppliers.join(' ')}</span>
          )}
        </Fact>
      </Facts>
    </section>
  )
}
