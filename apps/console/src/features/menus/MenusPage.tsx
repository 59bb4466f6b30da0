/** The menu of each console, to be edited. */
import { useQueryClient } from '@tanstack/react-query'
import { CONSOLES, type ConsoleId } from '@tidegate/contract/enums'
import { DataTable } from '@tidegate/ui/DataTable.tsx'
import { Select } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../shared/AddButton.tsx'
import { call } from '../../shared/api/call.ts'
import { here } from '../../shared/console.ts'
import { DeleteConfirm } from '../../shared/DeleteConfirm.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { currentLang } from '../../shared/i18n.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useListQuery } from '../../shared/useListQuery.ts'
import { useMay, useSession } from '../../shell/session.ts'
import { MENUS, useMenus } from './api.ts'
import { useMenuColumns } from './columns.tsx'
import { type Editing, MenuDrawer } from './MenuForm.tsx'
import { type MenuNode, menuTree } from './tree.ts'
import { useConsoleNames } from './words.ts'
import './menus.css'
import './texts.ts'

const RowActions = ({
  node,
  onEdit,
  onAdd,
  onDelete,
}: {
  node: MenuNode
  onEdit: () => void
  onAdd: () => void
  onDelete: () => void
}) => {
  const { t } = useTranslation(['menus', 'shared'])
  const may = { save: useMay('account:role:menu:save'), remove: useMay('account:role:menu:delete') }
  return (
    <div className="tool-links">
      {may.save ? (
        <button type="button" className="tg-link-button" onClick={onEdit}>
          {t('edit', { ns: 'shared' })}
        </button>
      ) : null}
      {may.save && node.type === 0 && node.level < 3 ? (
        <button type="button" className="tg-link-button" onClick={onAdd}>
          {t('addBelow')}
        </button>
      ) : null}
      {may.remove && !node.shipped ? (
        <button type="button" className="tg-link-button tg-danger" onClick={onDelete}>
          {t('delete', { ns: 'shared' })}
        </button>
      ) : null}
    </div>
  )
}

export const Page = () => {
  const { t } = useTranslation('menus')
  const client = useQueryClient()
  const names = useConsoleNames()
  const { query, search, set } = useListQuery()
  const menus = useMenus()
  const console: ConsoleId = CONSOLES.find((c) => c === search.get('console')) ?? here.id
  const [editing, setEditing] = useState<Editing | null>(null)
  const [deleting, setDeleting] = useState<MenuNode | null>(null)
  const maySave = useMay('account:role:menu:save')
  const tree = useMemo(() => menus.data && menuTree(menus.data, console), [menus.data, console])
  const close = (changed: boolean) => {
    setEditing(null)
    setDeleting(null)
    if (!changed) return
    void client.invalidateQueries({ queryKey: MENUS })
    // The navigation beside this page is the same menu.
    void useSession.getState().load()
  }
  const columns = useMenuColumns((node) => (
    <RowActions
      node={node}
      onEdit={() => setEditing({ entry: node, parent: null, console })}
      onAdd={() => setEditing({ entry: null, parent: node, console })}
      onDelete={() => setDeleting(node)}
    />
  ))
  return (
    <PageBody
      title={t('title')}
      sub={t('sub')}
      actions={
        maySave ? (
          <AddButton label={t('add')} onAdd={() => setEditing({ entry: null, parent: null, console })} />
        ) : undefined
      }
    >
      <DataTable<MenuNode>
        id="menu.list"
        label={t('title')}
        columns={columns}
        rows={tree}
        total={tree?.length ?? 0}
        loading={menus.isPending}
        query={query}
        onQuery={() => {}}
        paged={false}
        toolbar={
          <Select<ConsoleId>
            aria-label={t('consoles')}
            className="tool-select"
            value={console}
            onChange={(value) => set({ console: value })}
            options={CONSOLES.map((value) => ({ value, label: names[value] }))}
          />
        }
        empty={t('empty')}
        failed={menus.error === null ? undefined : <Failed error={menus.error} onRetry={() => void menus.refetch()} />}
      />
      <MenuDrawer rows={menus.data ?? []} editing={editing} onClose={close} />
      {deleting === null ? null : (
        <DeleteConfirm
          title={t('deleteTitle')}
          word={deleting.meta.title[currentLang()]}
          onDelete={() => call('menu.delete', { id: deleting.menuId })}
          onClose={close}
        >
          {t('deleteText')}
        </DeleteConfirm>
      )}
    </PageBody>
  )
}
