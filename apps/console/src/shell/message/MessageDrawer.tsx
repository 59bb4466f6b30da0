/** The newest messages: announcements for the staff, everything of theirs for customers; each opens its text. */
import type { MessageRow } from '@tidegate/contract/operations/message'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { here } from '../../shared/console.ts'
import { Failed } from '../../shared/Failed.tsx'
import { useMarkRead, useNewest } from '../../shared/message/api.ts'
import { MessageDialog } from '../../shared/message/MessageDialog.tsx'
import { useTypeWord } from '../../shared/message/useTypeWord.ts'
import { chainTo } from '../menu.ts'
import { useSession } from '../session.ts'
import './message.css'

const SCREEN = '/account/message'

export interface MessageDrawerProps {
  open: boolean
  onClose: () => void
}

const Item = ({ row, onOpen }: { row: MessageRow; onOpen: () => void }) => {
  const { t } = useTranslation('shell')
  const word = useTypeWord()
  return (
    <li>
      <button type="button" className="message-item" onClick={onOpen}>
        <strong>{row.title}</strong>
        <span className="message-meta">
          <StatusDot tone={row.readStatus === 0 ? 'news' : 'idle'}>
            {row.readStatus === 0 ? t('messageUnread') : t('messageRead')}
          </StatusDot>
          <span>{word(row.type)}</span>
          <RelativeTime iso={row.createtime} />
        </span>
      </button>
    </li>
  )
}

const List = ({ rows, onOpen }: { rows: readonly MessageRow[]; onOpen: (id: number) => void }) => {
  const { t } = useTranslation('shell')
  if (rows.length === 0) return <p className="tg-empty">{t('messageNone')}</p>
  return (
    <ul className="message-list">
      {rows.map((row) => (
        <Item key={row.id} row={row} onOpen={() => onOpen(row.id)} />
      ))}
    </ul>
  )
}

export const MessageDrawer = ({ open, onClose }: MessageDrawerProps) => {
  const { t } = useTranslation('shell')
  const staff = here.audience === 'admin'
  const { data, error, refetch } = useNewest(open)
  const { mutate, isPending } = useMarkRead()
  const [shown, setShown] = useState<number | null>(null)
  const reachable = useSession((s) => chainTo(s.menu, SCREEN).length > 0)
  return (
    <>
      <Drawer
        open={open}
        onClose={onClose}
        size={400}
        title={staff ? t('messageStaffTitle') : t('messageUserTitle')}
        extra={
          <Button
            size="small"
            loading={isPending}
            disabled={!data?.some((row) => row.readStatus === 0)}
            onClick={() => mutate({ all: 1 })}
          >
            {t('messageAllRead')}
          </Button>
        }
        footer={
          reachable ? (
            <Link to={SCREEN} onClick={onClose}>
              {staff ? t('messageManage') : t('messageMore')}
            </Link>
          ) : undefined
        }
      >
        {error !== null ? <Failed error={error} onRetry={() => void refetch()} /> : null}
        {data === undefined ? (
          error === null ? (
            <div className="tg-bone" />
          ) : null
        ) : (
          <List rows={data} onOpen={setShown} />
        )}
      </Drawer>
      {shown === null ? null : <MessageDialog id={shown} onClose={() => setShown(null)} />}
    </>
  )
}
