/** The nodes: how each is, what it runs, and how to add or remove one. */
import { useQueryClient } from '@tanstack/react-query'
import { NODE_STATES, type NodeState } from '@tidegate/contract/enums'
import type { NodeRow } from '@tidegate/contract/operations/node'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { useRefresh } from '@tidegate/ui/RefreshInterval.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { TypedConfirm } from '@tidegate/ui/TypedConfirm.tsx'
import { App, Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { NODES } from './api.ts'
import { useNodeColumns } from './columns.tsx'
import { DetailDrawer } from './DetailDrawer.tsx'
import { EditDrawer } from './EditDrawer.tsx'
import { InstallDrawer } from './InstallDrawer.tsx'
import './node.css'
import './texts.ts'

type Ending = { what: 'revoke' | 'delete'; node: NodeRow }

const useEnding = (done: () => void) => {
  const { t } = useTranslation(['node', 'shared'])
  const { message } = App.useApp()
  const say = useSay()
  return async ({ what, node }: Ending) => {
    try {
      if (what === 'revoke') await call('node.revoke', { id: node.id })
      else await call('node.delete', { ids: [node.id] })
    } catch (error) {
      say.failed(error)
      throw error
    }
    message.success(what === 'revoke' ? t('revoked_done') : t('deleted', { ns: 'shared' }))
    done()
  }
}

const EndingDialog = ({ ending, onClose }: { ending: Ending | null; onClose: () => void }) => {
  const { t } = useTranslation(['node', 'shared'])
  const say = useSay()
  const client = useQueryClient()
  const end = useEnding(() => {
    onClose()
    void client.invalidateQueries({ queryKey: NODES })
  })
  if (ending === null) return null
  const revoke = ending.what === 'revoke'
  return (
    <TypedConfirm
      open
      title={revoke ? t('revokeTitle') : t('deleteTitle')}
      word={ending.node.name}
      okText={revoke ? t('revoke') : t('delete')}
      onOk={() => end(ending)}
      onCancel={() => {
        say.cancelled()
        onClose()
      }}
    >
      {revoke ? t('revokeText') : t('deleteText')}
    </TypedConfirm>
  )
}

const StateFilter = ({
  state,
  onState,
}: {
  state: NodeState | undefined
  onState: (state: NodeState | undefined) => void
}) => {
  const { t } = useTranslation('node')
  const words: Record<NodeState, string> = {
    online: t('online'),
    offline: t('offline'),
    never: t('never'),
    revoked: t('revoked'),
  }
  return (
    <Select<NodeState>
      allowClear
      aria-label={t('stateFilter')}
      placeholder={t('stateFilter')}
      value={state ?? null}
      onChange={(value) => onState(value ?? undefined)}
      options={NODE_STATES.map((value) => ({ value, label: words[value] }))}
      className="tool-select"
    />
  )
}

const Empty = ({ filtered, onInstall }: { filtered: boolean; onInstall: () => void }) => {
  const { t } = useTranslation('node')
  if (filtered) return t('emptyFiltered')
  return (
    <>
      <strong>{t('emptyTitle')}</strong>
      <p>{t('emptyText')}</p>
      <Button type="primary" onClick={onInstall}>
        {t('install')}
      </Button>
    </>
  )
}

const stateOf = (search: URLSearchParams) => NODE_STATES.find((s) => s === search.get('state'))

export const Page = () => {
  const { t } = useTranslation('node')
  const client = useQueryClient()
  const refresh = useRefresh(5000)
  const list = useList('node.list', NODES, {
    filters: (search) => ({ state: stateOf(search) }),
    every: refresh.interval,
  })
  const { query, search, set } = list
  const state = stateOf(search)
  const [shownId, setShown] = useState<number | null>(null)
  const [editing, setEditing] = useState<NodeRow | null>(null)
  const [ending, setEnding] = useState<Ending | null>(null)
  const installing = search.get('install') === '1'
  const install = (open: boolean) => set({ install: open ? '1' : undefined, page: query.page })
  const columns = useNodeColumns(
    (node) => (
      <div className="tg-two">
        <button type="button" className="tg-link-button" onClick={() => setShown(node.id)}>
          {node.name}
        </button>
        <span className="tg-faint tg-mono">{node.address || node.hostname}</span>
      </div>
    ),
    (node) => (
      <div className="tool-links">
        <button type="button" className="tg-link-button" onClick={() => setEditing(node)}>
          {t('edit')}
        </button>
        {node.state === 'revoked' || node.state === 'never' ? (
          <button
            type="button"
            className="tg-link-button tg-danger"
            onClick={() => setEnding({ what: 'delete', node })}
          >
            {t('delete')}
          </button>
        ) : (
          <button
            type="button"
            className="tg-link-button tg-danger"
            onClick={() => setEnding({ what: 'revoke', node })}
          >
            {t('revoke')}
          </button>
        )}
      </div>
    ),
  )
  return (
    <PageBody
      title={t('title')}
      sub={t('sub')}
      actions={
        <Button type="primary" icon={<Icon name="plus" />} onClick={() => install(true)}>
          {t('install')}
        </Button>
      }
    >
      <ListTable
        list={list}
        label={t('title')}
        columns={columns}
        toolbar={
          <>
            <SearchBox label={t('search')} value={query.key ?? ''} onSearch={(words) => set({ key: words })} />
            <StateFilter state={state} onState={(value) => set({ state: value })} />
          </>
        }
        empty={<Empty filtered={list.filtered} onInstall={() => install(true)} />}
        refresh={refresh}
        exports
      />
      <InstallDrawer open={installing} onClose={() => install(false)} />
      <EditDrawer
        node={editing}
        onClose={(saved) => {
          setEditing(null)
          if (saved) void client.invalidateQueries({ queryKey: NODES })
        }}
      />
      <DetailDrawer node={list.rows?.find((n) => n.id === shownId) ?? null} onClose={() => setShown(null)} />
      <EndingDialog ending={ending} onClose={() => setEnding(null)} />
    </PageBody>
  )
}
