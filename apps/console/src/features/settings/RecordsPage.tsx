/** A settings page: reads the records of its screen, then shows what is made of them. */
import type { ConfigRow } from '@tidegate/contract/operations/config'
import type { ReactNode } from 'react'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { useRecords } from './api.ts'
import './settings.css'
import './texts.ts'

export type RecordOf = (paramKey: string) => ConfigRow

export const RecordsPage = ({
  paramClass,
  title,
  sub,
  children,
}: {
  paramClass: string
  title: string
  sub?: ReactNode
  children: (recordOf: RecordOf, rows: readonly ConfigRow[]) => ReactNode
}) => {
  const records = useRecords(paramClass)
  const rows = records.data
  const recordOf: RecordOf = (paramKey) => {
    const found = rows?.find((row) => row.paramKey === paramKey)
    if (found === undefined) throw new Error(`no record ${paramKey}`)
    return found
  }
  return (
    <PageBody title={title} sub={sub}>
      {records.error === null ? null : <Failed error={records.error} onRetry={() => void records.refetch()} />}
      {rows === undefined ? (
        records.error === null && (
          <div className="tg-panel tg-panel-body">
            <div className="tg-bone" />
          </div>
        )
      ) : (
        <div className="settings-stack">{children(recordOf, rows)}</div>
      )}
    </PageBody>
  )
}
