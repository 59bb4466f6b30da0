/** Columns of the push list. */
import type { PushReason, PushState } from '@tidegate/contract/enums'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'
import type { PushRow } from './api.ts'

const TONES: Record<PushState, Tone> = { pending: 'busy', done: 'good', refused: 'bad' }

export const usePushColumns = (onFeedback: (row: PushRow) => void): Column<PushRow>[] => {
  const { t } = useTranslation('push')
  const states: Record<PushState, string> = { pending: t('pending'), done: t('done'), refused: t('refused') }
  const reasons: Record<PushReason, string> = {
    site: t('reasonSite'),
    purge: t('reasonPurge'),
    cert: t('reasonCert'),
    settings: t('reasonSettings'),
    resync: t('reasonResync'),
    rollback: t('reasonRollback'),
    push: t('reasonPush'),
  }
  return [
    {
      key: 'state',
      title: t('state'),
      render: (_, p) => <StatusDot tone={TONES[p.state]}>{states[p.state]}</StatusDot>,
    },
    {
      key: 'subject',
      title: t('subject'),
      // A resync is about as many differences as it found.
      render: (_, p) => (p.reason === 'resync' ? t('subjectResync', { n: p.subject }) : p.subject),
    },
    { key: 'reason', title: t('reason'), render: (_, p) => reasons[p.reason] },
    { key: 'group', title: t('group'), dataIndex: 'groupName' },
    { key: 'revision', title: t('revision'), render: (_, p) => <span className="tg-mono">r{p.revision}</span> },
    {
      key: 'nodes',
      title: t('nodes'),
      render: (_, p) => (
        <>
          {t('nodesDone', { done: p.done, nodes: p.nodes })}
          {p.refused > 0 ? <span className="tg-bad"> · {t('nodesRefused', { n: p.refused })}</span> : null}
        </>
      ),
    },
    { key: 'by', title: t('by'), dataIndex: 'by' },
    { key: 'time', title: t('time'), render: (_, p) => <RelativeTime iso={p.createTime} both /> },
    {
      key: 'actions',
      title: t('actions'),
      fixed: 'right',
      align: 'left',
      render: (_, p) => (
        <button type="button" className="tg-link-button" onClick={() => onFeedback(p)}>
          {t('feedback')}
        </button>
      ),
    },
  ]
}
