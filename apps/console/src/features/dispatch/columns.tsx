/** Columns of the nodes as the monitors see them. */
import type { NodeHealth } from '@tidegate/contract/monitor'
import type { StableRow } from '@tidegate/contract/operations/monitor'
import { useUi } from '@tidegate/ui/context'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { grouped } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'
import { Rounds } from './Rounds.tsx'

const TONES: Record<NodeHealth, Tone> = { ok: 'good', failing: 'bad', unknown: 'idle' }

export const useHealthWords = (): Record<NodeHealth, string> => {
  const { t } = useTranslation('dispatch')
  return { ok: t('ok'), failing: t('failing'), unknown: t('unknown') }
}

const useRemark = () => {
  const { t } = useTranslation('dispatch')
  return ({ health, leaves, probed }: StableRow): string => {
    if (health === 'failing') return leaves ? t('leaves') : t('stays')
    if (health === 'ok') return ''
    return probed ? t('noReports') : t('noAddress')
  }
}

const State = ({ row }: { row: StableRow }) => {
  const words = useHealthWords()
  const remark = useRemark()(row)
  return (
    <div className="tg-two">
      <StatusDot tone={TONES[row.health]}>{words[row.health]}</StatusDot>
      {remark === '' ? null : <span className={row.leaves ? 'tg-bad tg-small' : 'tg-soft tg-small'}>{remark}</span>}
    </div>
  )
}

const Rate = ({ row, limit }: { row: StableRow; limit: number }) => {
  const { t } = useTranslation('dispatch')
  const { lang } = useUi()
  if (row.failPercent === null) return <span className="tg-faint">–</span>
  return (
    <div className="tg-two">
      <span className={row.failPercent >= limit ? 'tg-bad' : undefined}>{grouped(row.failPercent, lang, 1)}%</span>
      <span className="tg-faint tg-small">{t('failRateOf', { limit })}</span>
    </div>
  )
}

const Votes = ({ row }: { row: StableRow }) => {
  const { t } = useTranslation('dispatch')
  if (row.votes.total === 0) return <span className="tg-faint">–</span>
  const names = row.monitors.filter((one) => one.fails).map((one) => one.name)
  return (
    <div className="tg-two">
      <span>{t('votesOf', row.votes)}</span>
      {names.length === 0 ? null : <span className="tg-faint tg-small dispatch-names">{names.join(', ')}</span>}
    </div>
  )
}

export interface Frame {
  /** Of the failure rate, percent. */
  limit: number
  /** Milliseconds of a round, and begin of the newest. */
  step: number
  end: number
}

export const useColumns = ({ limit, step, end }: Frame, onShow: (id: number) => void): Column<StableRow>[] => {
  const { t } = useTranslation('dispatch')
  return [
    {
      key: 'name',
      title: t('node'),
      width: 180,
      render: (_, row) => (
        <div className="tg-two">
          <button type="button" className="tg-link-button" onClick={() => onShow(row.nodeId)}>
            {row.name}
          </button>
          <span className="tg-faint tg-mono">{row.address || '–'}</span>
        </div>
      ),
    },
    { key: 'groupName', title: t('group'), render: (_, row) => row.groupName },
    { key: 'health', title: t('health'), render: (_, row) => <State row={row} /> },
    { key: 'failPercent', title: t('failRate'), render: (_, row) => <Rate row={row} limit={limit} /> },
    { key: 'votes', title: t('votes'), render: (_, row) => <Votes row={row} /> },
    { key: 'points', title: t('history'), render: (_, row) => <Rounds points={row.points} step={step} end={end} /> },
    { key: 'since', title: t('since'), render: (_, row) => <RelativeTime iso={row.since} /> },
  ]
}
