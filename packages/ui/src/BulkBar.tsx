/** What can be done with the rows chosen, and what became of each. */
import { App } from 'antd'
import { useTranslation } from 'react-i18next'
import type { ItemResult } from './bulk.ts'
import { Icon } from './Icon.tsx'
import './texts.ts'

export interface BulkAction<Row> {
  key: string
  label: string
  danger?: boolean
  onRun: (rows: readonly Row[]) => void
}

export interface Bulk<Row> {
  chosen: readonly Row[]
  setChosen: (rows: Row[]) => void
  actions: readonly BulkAction<Row>[]
  /** Of the last action; empty: nothing to tell. */
  results?: readonly ItemResult[]
  onSeen?: () => void
  /** Under way: no action until it is over. */
  busy?: boolean
}

/** While nothing is chosen only what destroys is offered, and says what it lacks when it is pressed. */
export const BulkStart = <Row,>({ bulk }: { bulk: Bulk<Row> }) => {
  const { t } = useTranslation('ui')
  const { message } = App.useApp()
  return bulk.actions
    .filter((action) => action.danger === true)
    .map((action) => (
      <button
        key={action.key}
        type="button"
        className="tg-link-button tg-danger"
        onClick={() => void message.error(t('chooseToDelete'))}
      >
        {t('batch', { what: action.label })}
      </button>
    ))
}

export const BulkBar = <Row,>({ bulk }: { bulk: Bulk<Row> }) => {
  const { t } = useTranslation('ui')
  return (
    <div className="tg-bulk" role="status">
      <span>{t('chosen', { count: bulk.chosen.length })}</span>
      {bulk.actions.map((action) => (
        <button
          key={action.key}
          type="button"
          disabled={bulk.busy === true}
          className={`tg-link-button${action.danger === true ? ' tg-danger' : ''}`}
          onClick={() => action.onRun(bulk.chosen)}
        >
          {action.label}
        </button>
      ))}
      <button type="button" className="tg-link-button" disabled={bulk.busy === true} onClick={() => bulk.setChosen([])}>
        {t('clearChoice')}
      </button>
    </div>
  )
}

/** Which succeeded, which failed and why; stays until it is closed. */
export const BulkResults = ({ results, onSeen }: { results: readonly ItemResult[]; onSeen: () => void }) => {
  const { t } = useTranslation('ui')
  if (results.length === 0) return null
  const bad = results.filter((r) => r.error !== '')
  const good = results.filter((r) => r.error === '')
  return (
    <section className="tg-bulk-results" aria-label={t('results')} aria-live="polite">
      <div>
        <strong>{t('resultCounts', { good: good.length, bad: bad.length })}</strong>
        <button type="button" className="tg-icon-button" aria-label={t('closeResults')} onClick={onSeen}>
          <Icon name="close" size={14} />
        </button>
      </div>
      <ul>
        {bad.map((r) => (
          <li key={r.key}>
            <Icon name="close" size={12} /> <span>{r.name}</span> <span className="tg-bad">{r.error}</span>
          </li>
        ))}
        {good.map((r) => (
          <li key={r.key}>
            <Icon name="check" size={12} /> <span>{r.name}</span> <span className="tg-faint">{t('succeeded')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
