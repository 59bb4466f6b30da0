/** Runtime variables: what each is, what it is set to, and whether the nodes run it. */
import { useQueryClient } from '@tanstack/react-query'
import type { VariableRow } from '@tidegate/contract/operations/tools'
import type { VariableValue } from '@tidegate/contract/runtime-variables'
import { useUi } from '@tidegate/ui/context'
import { type Column, DataTable } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { App, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Confirm } from '../../shared/Confirm.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { useVariables, VARIABLES } from './api.ts'
import { VariableForm } from './VariableForm.tsx'
import { VariableHistory } from './VariableHistory.tsx'
import { useValueText } from './variable-words.tsx'
import './tools.css'
import './texts.ts'

const Applied = ({ row }: { row: VariableRow }) => {
  const { t } = useTranslation('tools')
  const { applied } = row
  if (applied === null) return <StatusDot tone="good">{t('atOnce')}</StatusDot>
  const { nodes, done } = applied
  return <StatusDot tone={done === nodes ? 'good' : 'busy'}>{t('nodesDone', { done, nodes })}</StatusDot>
}

interface Actions {
  mayChange: boolean
  onChange: (row: VariableRow) => void
  onReset: (row: VariableRow) => void
}

const useColumns = ({ mayChange, onChange, onReset }: Actions): Column<VariableRow>[] => {
  const { t } = useTranslation('tools')
  const { lang } = useUi()
  const text = useValueText()
  const columns: Column<VariableRow>[] = [
    {
      key: 'variable',
      title: t('variable'),
      width: 400,
      render: (_, r) => (
        <div className="tg-two">
          <span>{r.title[lang]}</span>
          <span className="tg-faint tg-small">{r.about[lang]}</span>
        </div>
      ),
    },
    {
      key: 'value',
      title: t('current'),
      render: (_, r) => <span className={r.set ? 'tools-set' : undefined}>{text(r.value, r.unit)}</span>,
    },
    {
      key: 'default',
      title: t('standard'),
      render: (_, r) => <span className="tg-soft">{text(r.default, r.unit)}</span>,
    },
    {
      key: 'scope',
      title: t('scope'),
      render: (_, r) => (r.scope === 'nodes' ? t('scopeNodes') : t('scopeControl')),
    },
    { key: 'applied', title: t('applied'), render: (_, r) => <Applied row={r} /> },
    {
      key: 'changed',
      title: t('changed'),
      render: (_, r) =>
        r.changedTime === '' ? (
          <span className="tg-faint">{t('never')}</span>
        ) : (
          <div className="tg-two">
            <RelativeTime iso={r.changedTime} />
            <span className="tg-faint tg-small">{t('by', { name: r.changedBy })}</span>
          </div>
        ),
    },
  ]
  if (!mayChange) return columns
  return [
    ...columns,
    {
      key: 'actions',
      title: t('actions'),
      fixed: 'right',
      align: 'left',
      render: (_, r) => (
        <span className="tool-links">
          <button type="button" className="tg-link-button" onClick={() => onChange(r)}>
            {t('change')}
          </button>
          {r.set ? (
            <button type="button" className="tg-link-button" onClick={() => onReset(r)}>
              {t('toDefault')}
            </button>
          ) : null}
        </span>
      ),
    },
  ]
}

/** Writes, says what came of it, reads anew. */
const useUpdate = () => {
  const { t } = useTranslation('tools')
  const { message } = App.useApp()
  const client = useQueryClient()
  return async (row: VariableRow, change: { value: VariableValue } | { reset: true }) => {
    await call('variable.update', { key: row.key, ...change })
    message.success(row.scope === 'nodes' ? t('savedNodes') : t('saved'))
    await client.invalidateQueries({ queryKey: VARIABLES })
  }
}

export const Page = () => {
  const { t } = useTranslation('tools')
  const { lang } = useUi()
  const text = useValueText()
  const update = useUpdate()
  const { data, error, refetch, isPending } = useVariables()
  const [changing, setChanging] = useState<VariableRow | null>(null)
  const [resetting, setResetting] = useState<VariableRow | null>(null)
  const [history, setHistory] = useState(false)
  const mayChange = data?.mayChange ?? false
  const columns = useColumns({ mayChange, onChange: setChanging, onReset: setResetting })
  return (
    <PageBody
      title={t('variableTitle')}
      sub={t('variableSub')}
      actions={<Button onClick={() => setHistory(true)}>{t('history')}</Button>}
    >
      {data !== undefined && !mayChange ? <p className="tg-soft tg-small tools-alert">{t('lookOnly')}</p> : null}
      <DataTable<VariableRow>
        id="variable.list"
        label={t('variableTitle')}
        columns={columns}
        rowKey={(row) => row.key}
        rows={data?.list}
        total={data?.list.length ?? 0}
        loading={isPending}
        query={{ page: 1, limit: 100 }}
        onQuery={() => undefined}
        paged={false}
        empty={null}
        failed={error === null ? undefined : <Failed error={error} onRetry={() => void refetch()} />}
      />
      {changing === null ? null : (
        <VariableForm
          row={changing}
          onSave={async (value) => {
            await update(changing, { value })
            setChanging(null)
          }}
          onClose={() => setChanging(null)}
        />
      )}
      {resetting === null ? null : (
        <Confirm
          title={t('resetTitle')}
          question={t('resetText', {
            name: resetting.title[lang],
            from: text(resetting.value, resetting.unit),
            to: text(resetting.default, resetting.unit),
          })}
          okText={t('toDefault')}
          onOk={() => update(resetting, { reset: true })}
          onClose={() => setResetting(null)}
        />
      )}
      <VariableHistory open={history} onClose={() => setHistory(false)} />
    </PageBody>
  )
}
