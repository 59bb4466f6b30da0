/** Columns of the menu's tree. */
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { Icon, iconNamed } from '@tidegate/ui/Icon.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLang } from '../../shared/i18n.ts'
import type { MenuNode } from './tree.ts'

const State = ({ node }: { node: MenuNode }) => {
  const { t } = useTranslation('menus')
  if (!node.exists) return <StatusDot tone="idle">{t('notBuiltShort')}</StatusDot>
  return <StatusDot tone={node.enabled ? 'good' : 'idle'}>{node.enabled ? t('on') : t('off')}</StatusDot>
}

export const useMenuColumns = (actions: (node: MenuNode) => ReactNode): Column<MenuNode>[] => {
  const { t } = useTranslation('menus')
  const types: Record<number, string> = { 0: t('directory'), 1: t('screen'), 2: t('action') }
  const dash = <span className="tg-faint">–</span>
  return [
    {
      key: 'name',
      title: t('name'),
      render: (_, m) => (
        <span className="menu-name">
          {m.meta.icon === undefined ? null : <Icon name={iconNamed(m.meta.icon)} />}
          {m.meta.title[currentLang()]}
          {m.meta.hidden === true ? <span className="tg-faint tg-small">{t('hidden')}</span> : null}
        </span>
      ),
    },
    { key: 'state', title: t('state'), render: (_, m) => <State node={m} /> },
    { key: 'path', title: t('path'), render: (_, m) => <span className="tg-mono">{m.url}</span> },
    { key: 'type', title: t('type'), render: (_, m) => types[m.type] },
    { key: 'level', title: t('level'), align: 'right', dataIndex: 'level' },
    { key: 'sort', title: t('sort'), align: 'right', dataIndex: 'sort' },
    {
      key: 'permission',
      title: t('permission'),
      render: (_, m) => (m.permission === null ? dash : <span className="tg-mono">{m.permission}</span>),
    },
    { key: 'badge', title: t('badge'), render: (_, m) => m.meta.badge ?? dash },
    { key: 'id', title: 'ID', align: 'right', render: (_, m) => <span className="tg-mono">{m.menuId}</span> },
    { key: 'actions', title: t('actions'), fixed: 'right', align: 'left', render: (_, m) => actions(m) },
  ]
}
