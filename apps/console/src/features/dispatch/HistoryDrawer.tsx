/** The evidence about one node: when it began to fail and came back, and what the monitors brought last. */
import type { ProbeError } from '@tidegate/contract/monitor'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { useUi } from '@tidegate/ui/context'
import { absolute, grouped, millis } from '@tidegate/ui/format'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../shared/Failed.tsx'
import { useNodeHistory } from './api.ts'

type History = OutputOf<'dispatch.history'>['data']

const Changes = ({ changes }: { changes: History['changes'] }) => {
  const { t } = useTranslation('dispatch')
  const { lang, timeZone } = useUi()
  if (changes.length === 0) return <p className="tg-faint">{t('noChanges')}</p>
  return (
    <ol className="dispatch-changes">
      {changes.map(({ at, failing, failPercent, votes, monitors }) => (
        <li key={at}>
          <StatusDot tone={failing ? 'bad' : 'good'}>{failing ? t('began') : t('back')}</StatusDot>
          <span className="tg-mono">{absolute(at, timeZone)}</span>
          <p className="tg-soft tg-small">
            {t('evidence', { percent: grouped(failPercent, lang, 1), ...votes, names: monitors.join(', ') })}
          </p>
        </li>
      ))}
    </ol>
  )
}

const useErrorWords = (): Record<ProbeError, string> => {
  const { t } = useTranslation('dispatch')
  return {
    timeout: t('timeout'),
    refused: t('refused'),
    unreachable: t('unreachable'),
    reset: t('reset'),
    name: t('name'),
    other: t('other'),
  }
}

const Results = ({ results }: { results: History['results'] }) => {
  const { t } = useTranslation('dispatch')
  const { lang, timeZone } = useUi()
  const words = useErrorWords()
  if (results.length === 0) return <p className="tg-faint">{t('noResults')}</p>
  return (
    <table className="dispatch-results">
      <thead>
        <tr>
          <th scope="col">{t('time')}</th>
          <th scope="col">{t('monitor')}</th>
          <th scope="col">{t('port')}</th>
          <th scope="col">{t('result')}</th>
        </tr>
      </thead>
      <tbody>
        {results.map(({ at, monitor, port, ms, error }) => (
          <tr key={`${at} ${monitor} ${port}`}>
            <td className="tg-mono">{absolute(at, timeZone)}</td>
            <td>{monitor}</td>
            <td className="tg-mono">{port}</td>
            <td className={error === '' ? undefined : 'tg-bad'}>{error === '' ? millis(ms, lang) : words[error]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Shown = ({ id }: { id: number }) => {
  const { t } = useTranslation('dispatch')
  const { data, error, refetch } = useNodeHistory(id)
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <div className="tg-bone" />
  return (
    <>
      <h3>{t('changes')}</h3>
      <Changes changes={data.changes} />
      <h3>{t('results')}</h3>
      <Results results={data.results} />
    </>
  )
}

/** `node` null: closed. */
export const HistoryDrawer = ({
  node,
  onClose,
}: {
  node: { id: number; name: string } | null
  onClose: () => void
}) => (
  <Drawer open={node !== null} onClose={onClose} title={node?.name} size={560} destroyOnHidden>
    {node === null ? null : <Shown id={node.id} />}
  </Drawer>
)
