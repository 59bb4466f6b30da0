/** The whole list as a CSV file: asked for, watched, saved when it is done; and those of the last day. */
import { useQueryClient } from '@tanstack/react-query'
import { EXPORT_MAX_ROWS } from '@tidegate/contract/limits'
import type { ExportRow } from '@tidegate/contract/operations/export'
import type { ListId } from '@tidegate/contract/operations/index'
import { useUi } from '@tidegate/ui/context'
import { bytes, figureText, grouped } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { App, Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { useSite } from '../site-config.ts'
import { useSay } from '../useSay.tsx'
import { EXPORTS, saveExport, useExports } from './exports.ts'

export interface ExportProps {
  list: ListId
  /** Search and filters, without the page. */
  query: Record<string, unknown>
  total: number
  /** Whether somebody looks. */
  open: boolean
  onBusy: (busy: boolean) => void
}

const State = ({ one }: { one: ExportRow }) => {
  const { t } = useTranslation('shared')
  const { lang } = useUi()
  const rows = grouped(one.rows, lang)
  if (one.state === 'failed') return <StatusDot tone="bad">{one.error}</StatusDot>
  if (one.state !== 'done') return <StatusDot tone="busy">{t('exportRunning', { rows })}</StatusDot>
  return (
    <span>
      {t('exportRows', { rows })} · {figureText(bytes(one.bytes, lang))}
      {one.cut ? <span className="tg-warn"> · {t('exportCut')}</span> : null}
    </span>
  )
}

const Recent = ({ exports, onSave }: { exports: readonly ExportRow[]; onSave: (id: number) => void }) => {
  const { t } = useTranslation('shared')
  if (exports.length === 0) return null
  return (
    <ul className="tg-exports" aria-label={t('exportRecent')}>
      {exports.map((one) => (
        <li key={one.id}>
          <span className="tg-stack tg-tight">
            <State one={one} />
            <span className="tg-faint tg-small">
              <RelativeTime iso={one.createTime} />
            </span>
          </span>
          {one.state === 'done' ? (
            <button type="button" className="tg-link-button" onClick={() => onSave(one.id)}>
              {t('exportSave')}
            </button>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** Saves by itself what was asked for here, as soon as it is done. */
const useExport = ({ list, query, open, onBusy }: ExportProps) => {
  const { t } = useTranslation('shared')
  const { message } = App.useApp()
  const say = useSay()
  const client = useQueryClient()
  const [waited, setWaited] = useState<number | null>(null)
  const { data: exports = [] } = useExports(list, open || waited !== null)
  const save = (id: number) => {
    saveExport(id).then(
      () => void message.success(t('exportSaved')),
      (error) => say.failed(error),
    )
  }
  const latest = useRef(save)
  latest.current = save
  const mine = exports.find((one) => one.id === waited)
  useEffect(() => {
    if (mine?.state !== 'done' && mine?.state !== 'failed') return
    setWaited(null)
    if (mine.state === 'done') latest.current(mine.id)
    else void message.error(mine.error)
  }, [mine, message])
  const busy = waited !== null
  useEffect(() => onBusy(busy), [busy, onBusy])
  const start = async () => {
    try {
      const { id } = await call('export.start', { list, query })
      setWaited(id)
      await client.invalidateQueries({ queryKey: EXPORTS })
    } catch (error) {
      say.failed(error)
    }
  }
  return { exports, busy, start, save }
}

export const ExportPanel = (props: ExportProps) => {
  const { t } = useTranslation('shared')
  const { lang } = useUi()
  const { exports, busy, start, save } = useExport(props)
  const max = useSite((site) => site.index?.exportMaxRows ?? EXPORT_MAX_ROWS)
  return (
    <div className="tg-export" role="dialog" aria-label={t('export')}>
      <p className="tg-soft">{t('exportText', { max: grouped(max, lang) })}</p>
      {/* The row below turns while the file is made: antd's own wheel may go on when the end of its motion is missed. */}
      <Button type="primary" aria-busy={busy} disabled={busy || props.total === 0} onClick={() => void start()}>
        {t('exportStart')}
      </Button>
      <Recent exports={exports} onSave={save} />
    </div>
  )
}
