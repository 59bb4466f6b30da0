/** Columns of the site list. */

import type { SiteRow } from '@tidegate/contract/operations/site'
import { ActionMenu } from '@tidegate/ui/ActionMenu.tsx'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { here } from '../../shared/console.ts'
import { useSeesOwners } from './OwnerField.tsx'
import { CertState, SiteState } from './SiteState.tsx'

export interface RowActions {
  onPush: (site: SiteRow) => void
  onEnable: (site: SiteRow) => void
  onDelete: (site: SiteRow) => void
}

const Domain = ({ site }: { site: SiteRow }) => {
  const { t } = useTranslation('site')
  return (
    <div className="tg-two">
      <span className="tg-row-tight">
        <Link to={`/cdn/site/list/detail?id=${site.id}`} className="site-domain">
          {site.domains[0]}
        </Link>
        {site.domains.length > 1 ? (
          <span className="tg-faint tg-small" title={site.domains.join('\n')}>
            {t('moreDomains', { n: site.domains.length })}
          </span>
        ) : null}
      </span>
      <span className="tg-row-tight">
        <span className="tg-mono tg-faint">{site.cname}</span>
        <CopyButton text={site.cname} label={site.cname} />
      </span>
    </div>
  )
}

const Origins = ({ site }: { site: SiteRow }) => {
  const { t } = useTranslation('site')
  return (
    <span title={site.origins.join('\n')}>
      <span className="tg-mono site-origin">{site.origins[0] ?? '–'}</span>{' '}
      {site.origins.length > 1 ? (
        <span className="tg-faint tg-small">{t('moreOrigins', { n: site.origins.length })}</span>
      ) : null}
    </span>
  )
}

const Actions = ({ site, actions }: { site: SiteRow; actions: RowActions }) => {
  const { t } = useTranslation('site')
  return (
    <div className="tool-links">
      <Link to={`/cdn/site/list/detail?id=${site.id}`}>{t('configure')}</Link>
      <Link to={`/cdn/site/cache?site=${encodeURIComponent(site.domains[0] ?? '')}`}>{t('purge')}</Link>
      <ActionMenu
        menu={{
          items: [
            { key: 'enable', label: site.enabled ? t('disable') : t('enable'), onClick: () => actions.onEnable(site) },
            { key: 'delete', danger: true, label: t('delete'), onClick: () => actions.onDelete(site) },
          ],
        }}
      >
        <button type="button" className="tg-link-button" aria-label={`${t('more')} ${site.domains[0] ?? ''}`}>
          <Icon name="more" />
        </button>
      </ActionMenu>
    </div>
  )
}

export const useSiteColumns = (actions: RowActions): Column<SiteRow>[] => {
  const { t } = useTranslation('site')
  const seesOwners = useSeesOwners()
  return [
    { key: 'domain', title: t('domain'), render: (_, s) => <Domain site={s} /> },
    {
      key: 'state',
      title: t('state'),
      render: (_, s) => (
        <button type="button" className="site-state" onClick={() => actions.onPush(s)}>
          <SiteState site={s} />
        </button>
      ),
    },
    { key: 'cert', title: t('certificate'), render: (_, s) => <CertState notAfter={s.certNotAfter} /> },
    { key: 'origin', title: t('origin'), render: (_, s) => <Origins site={s} /> },
    ...(here.audience === 'admin' ? [{ key: 'group', title: t('group'), dataIndex: 'groupName' }] : []),
    ...(seesOwners
      ? [
          {
            key: 'owner',
            title: t('owner'),
            render: (_: unknown, s: SiteRow) =>
              s.userName === '' ? <span className="tg-faint">{t('ownerNone')}</span> : s.userName,
          },
        ]
      : []),
    { key: 'update_time', title: t('updated'), render: (_, s) => <RelativeTime iso={s.updateTime} both /> },
    {
      key: 'actions',
      title: t('actions'),
      fixed: 'right',
      align: 'left',
      render: (_, s) => <Actions site={s} actions={actions} />,
    },
  ]
}
