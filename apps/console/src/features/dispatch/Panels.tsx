/** Above the nodes: how the service groups stand, and who monitors. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import type { GroupStanding } from '@tidegate/contract/operations/monitor'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'

type Data = OutputOf<'dispatch.stable'>['data']

interface GroupsProps {
  groups: readonly GroupStanding[]
  /** The one that the nodes below are of. */
  chosen: number | undefined
  onChoose: (id: number | undefined) => void
}

const Count = ({ n, tone }: { n: number; tone: string }) => (
  <td className={n === 0 ? 'tg-faint tg-mono' : `${tone} tg-mono`}>{n}</td>
)

export const Groups = ({ groups, chosen, onChoose }: GroupsProps) => {
  const { t } = useTranslation('dispatch')
  return (
    <section className="tg-panel dispatch-panel" aria-label={t('groups')}>
      <header className="dispatch-head">
        <h2>{t('groups')}</h2>
        {chosen === undefined ? null : (
          <button type="button" className="tg-link-button" onClick={() => onChoose(undefined)}>
            {t('allGroups')}
          </button>
        )}
      </header>
      <div className="dispatch-scroll">
        <table className="dispatch-groups">
          <thead>
            <tr>
              <th scope="col">{t('group')}</th>
              <th scope="col">{t('nodes')}</th>
              <th scope="col">{t('ok')}</th>
              <th scope="col">{t('failing')}</th>
              <th scope="col">{t('unknown')}</th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.id} className={group.id === chosen ? 'dispatch-chosen' : undefined}>
                <th scope="row">
                  <button
                    type="button"
                    className="tg-link-button"
                    aria-pressed={group.id === chosen}
                    onClick={() => onChoose(group.id === chosen ? undefined : group.id)}
                  >
                    {group.name}
                  </button>
                </th>
                <Count n={group.nodes} tone="" />
                <Count n={group.ok} tone="" />
                <Count n={group.failing} tone="tg-bad" />
                <Count n={group.unknown} tone="tg-soft" />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

export const Monitors = ({ monitors }: { monitors: Data['monitors'] }) => {
  const { t } = useTranslation('dispatch')
  return (
    <section className="tg-panel dispatch-panel" aria-label={t('monitors')}>
      <header className="dispatch-head">
        <h2>{t('monitors')}</h2>
      </header>
      {monitors.length === 0 ? (
        <p className="tg-faint dispatch-none">{t('noMonitors')}</p>
      ) : (
        <ul className="dispatch-scroll dispatch-monitors">
          {monitors.map((one) => (
            <li key={one.id}>
              <StatusDot tone={one.reports ? 'good' : 'idle'}>{one.name}</StatusDot>
              <span className="tg-faint tg-small">{one.kind === 'agent' ? t('agent') : t('outside')}</span>
              <span className="tg-soft tg-small">{one.reports ? t('probes', { count: one.nodes }) : t('silent')}</span>
              <span className="tg-faint tg-small">
                <RelativeTime iso={one.lastAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
