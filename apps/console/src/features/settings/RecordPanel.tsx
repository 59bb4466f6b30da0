/** The frame of one record's form: what is wrong with the whole, its fields, save, history. */
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { Alert, Button } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordForm } from './form.ts'
import { HistoryDrawer } from './HistoryDrawer.tsx'

/** Other pages of the console keep what was typed here; closing or reloading it does not. */
const useAskBeforeClosing = (dirty: boolean) =>
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])

export const RecordPanel = ({
  form,
  title,
  state,
  children,
  actions,
  aside,
}: {
  form: RecordForm
  title?: ReactNode
  /** Beside the title: enabled or not, a switch. */
  state?: ReactNode
  children: ReactNode
  /** Beside the save button. */
  actions?: ReactNode
  /** Beside the form, e.g. a preview. */
  aside?: ReactNode
}) => {
  const { t } = useTranslation(['settings', 'shared'])
  const [history, setHistory] = useState<ConfigRow | null>(null)
  useAskBeforeClosing(form.dirty)
  return (
    <section className="tg-panel settings-panel" aria-label={typeof title === 'string' ? title : form.row.remark}>
      {title === undefined && state === undefined ? null : (
        <header className="settings-head">
          <h2>{title}</h2>
          {state}
        </header>
      )}
      {form.failed === '' ? null : <Alert type="error" title={form.failed} />}
      {form.conflict ? (
        <Alert
          type="warning"
          title={t('conflict')}
          action={
            <Button size="small" onClick={form.reset}>
              {t('reload', { ns: 'shared' })}
            </Button>
          }
        />
      ) : null}
      {form.row.editable ? null : <Alert type="info" title={t('readOnly')} />}
      <form
        className={aside === undefined ? 'settings-form' : 'settings-form settings-with-aside'}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void form.save()
        }}
      >
        <div className="settings-fields">
          {children}
          <div className="settings-foot">
            <Button type="primary" htmlType="submit" loading={form.busy} disabled={!form.row.editable}>
              {t('save', { ns: 'shared' })}
            </Button>
            {form.dirty ? <Button onClick={form.reset}>{t('discard')}</Button> : null}
            {actions}
            {form.row.version === 0 ? null : (
              <Button type="text" onClick={() => setHistory(form.row)}>
                {t('history')}
              </Button>
            )}
          </div>
        </div>
        {aside}
      </form>
      <HistoryDrawer row={history} onClose={() => setHistory(null)} />
    </section>
  )
}
