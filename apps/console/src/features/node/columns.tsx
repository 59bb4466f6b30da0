/** Columns of the node list. */
import type { NodeState } from '@tidegate/contract/enums'
import { CLOCK_SKEW_WARN_MS } from '@tidegate/contract/limits'
import type { NodeRow } from '@tidegate/contract/operations/node'
import { useUi } from '@tidegate/ui/context'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { bytes, figureText, grouped, percent } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { alertWords } from '../../shared/words.ts'

/** A resource fuller than this is marked. */
const FULL = 0.9
const TONES: Record<NodeState, Tone> = { online: 'good', offline: 'bad', never: 'idle', revoked: 'idle' }

export const NodeStatus = ({ node }: { node: NodeRow }) => {
  const { t } = useTranslation('node')
  const words: Record<NodeState, string> = {
    online: t('online'),
    offline: t('offline'),
    never: t('never'),
    revoked: t('revoked'),
  }
  if (node.state === 'online' && !node.engineUp) return <StatusDot tone="bad">{t('engineDown')}</StatusDot>
  return <StatusDot tone={TONES[node.state]}>{words[node.state]}</StatusDot>
}

export const Revision = ({ node }: { node: NodeRow }) => {
  const { t } = useTranslation('node')
  const behind = node.desiredRevision - node.appliedRevision
  return (
    <div className="tg-two">
      <span className="tg-mono">
        {node.desiredRevision} / {node.sentRevision} / {node.appliedRevision}
      </span>
      {node.refusedNow > 0 ? (
        <span className="tg-bad tg-small">{t('refusedNow', { n: node.refusedNow })}</span>
      ) : behind > 0 && node.state !== 'revoked' && node.state !== 'never' ? (
        <span className="tg-warn tg-small">{t('behind', { n: behind })}</span>
      ) : null}
    </div>
  )
}

export const LastAck = ({ node }: { node: NodeRow }) => {
  const { t } = useTranslation('node')
  return (
    <div className="tg-two">
      <RelativeTime iso={node.lastAck} both />
      {Math.abs(node.clockSkew) > CLOCK_SKEW_WARN_MS ? (
        <span className="tg-warn tg-small">{t('skew', { ms: node.clockSkew })}</span>
      ) : null}
    </div>
  )
}

/** A node's alerts in words, one a line. */
export const Alerts = ({ alerts }: { alerts: readonly string[] }) => {
  const { t } = useTranslation('shared')
  if (alerts.length === 0) return <span className="tg-faint">–</span>
  return (
    <ul className="node-alerts">
      {alerts.map((alert) => (
        <li key={alert} className="tg-warn">
          {alertWords(t, alert)}
        </li>
      ))}
    </ul>
  )
}

/** Share used of a resource; red when nearly full. */
export const Used = ({ free, total }: { free: number; total: number }) => {
  const { lang } = useUi()
  if (total === 0) return <span className="tg-faint">–</span>
  const used = 1 - free / total
  return <span className={used > FULL ? 'tg-bad' : undefined}>{figureText(percent(used, lang))}</span>
}

/** A node that never reported has no sizes. */
const Size = ({ node, value }: { node: NodeRow; value: number }) => {
  const { lang } = useUi()
  return node.lastSeen === '' ? <span className="tg-faint">–</span> : figureText(bytes(value, lang))
}

const Spool = ({ node }: { node: NodeRow }) => {
  const { t } = useTranslation('node')
  const { lang } = useUi()
  return (
    <div className="tg-two">
      <Size node={node} value={node.spoolBytes} />
      {node.droppedLines > 0 ? (
        <span className="tg-bad tg-small">{t('dropped', { n: grouped(node.droppedLines, lang) })}</span>
      ) : null}
    </div>
  )
}

/** `name` opens the row's drawer; `actions` are the row's. */
export const useNodeColumns = (
  name: (node: NodeRow) => ReactNode,
  actions: (node: NodeRow) => ReactNode,
): Column<NodeRow>[] => {
  const { t } = useTranslation('node')
  const { lang } = useUi()
  return [
    { key: 'name', title: t('name'), render: (_, n) => name(n) },
    { key: 'state', title: t('state'), render: (_, n) => <NodeStatus node={n} /> },
    { key: 'alerts', title: t('alerts'), render: (_, n) => <Alerts alerts={n.alerts} /> },
    { key: 'revision', title: t('revision'), render: (_, n) => <Revision node={n} /> },
    { key: 'ack', title: t('lastAck'), render: (_, n) => <LastAck node={n} /> },
    {
      key: 'load',
      title: t('load'),
      align: 'right',
      render: (_, n) =>
        n.cpus === 0 ? (
          <span className="tg-faint">–</span>
        ) : (
          <span className={n.load1 > n.cpus ? 'tg-warn' : undefined}>
            {grouped(n.load1, lang, 2)}
            <span className="tg-faint"> / {n.cpus}</span>
          </span>
        ),
    },
    {
      key: 'memory',
      title: t('memory'),
      align: 'right',
      render: (_, n) => <Used free={n.memFree} total={n.memTotal} />,
    },
    { key: 'disk', title: t('disk'), align: 'right', render: (_, n) => <Used free={n.diskFree} total={n.diskTotal} /> },
    { key: 'cache', title: t('cache'), align: 'right', render: (_, n) => <Size node={n} value={n.cacheBytes} /> },
    { key: 'spool', title: t('spool'), align: 'right', render: (_, n) => <Spool node={n} /> },
    { key: 'group', title: t('group'), dataIndex: 'groupName' },
    { key: 'version', title: t('version'), render: (_, n) => <span className="tg-mono">{n.agentVersion || '–'}</span> },
    { key: 'actions', title: t('actions'), fixed: 'right', align: 'left', render: (_, n) => actions(n) },
  ]
}
