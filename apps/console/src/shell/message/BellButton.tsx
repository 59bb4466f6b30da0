/** The bell: how many messages are unread, and the drawer behind it. */
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chunk } from '../../shared/chunk.ts'
import { useUnread } from '../../shared/message/api.ts'
import { capped } from '../badge.ts'
import { ToolButton } from '../header/ToolButton.tsx'
import '../texts.ts'
import type { MessageDrawerProps } from './MessageDrawer.tsx'

export const BellButton = () => {
  const { t } = useTranslation('shell')
  const unread = useUnread() ?? 0
  const [open, setOpen] = useState(false)
  // The drawer's code comes with the first look at it.
  const [Drawer, setDrawer] = useState<ComponentType<MessageDrawerProps>>()
  const show = async () => {
    const { MessageDrawer } = await chunk(() => import('./MessageDrawer.tsx'))
    setDrawer(() => MessageDrawer)
    setOpen(true)
  }
  return (
    <>
      <ToolButton icon="bell" name={t('messages', { unread: capped(unread) })} onClick={() => void show()}>
        {unread === 0 ? null : <span className="shell-badge">{capped(unread)}</span>}
      </ToolButton>
      {Drawer === undefined ? null : <Drawer open={open} onClose={() => setOpen(false)} />}
    </>
  )
}
