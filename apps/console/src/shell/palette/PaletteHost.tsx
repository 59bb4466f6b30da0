/** What the palette's keys and button open: the palette, the sheet of keys, the question before everything is pushed. */
import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Confirm } from '../../shared/Confirm.tsx'
import { Palette } from './Palette.tsx'
import { ShortcutSheet } from './ShortcutSheet.tsx'
import './texts.ts'

export type Opened = 'palette' | 'sheet' | 'pushAll' | null

const PushAll = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('palette')
  const { message } = App.useApp()
  const client = useQueryClient()
  return (
    <Confirm
      title={t('pushTitle')}
      question={t('pushText')}
      okText={t('pushOk')}
      onOk={async () => {
        await call('push.all', {})
        message.success(t('pushDone'))
        await client.invalidateQueries({ queryKey: ['push'] })
      }}
      onClose={onClose}
    />
  )
}

interface HostProps {
  opened: Opened
  round: number
  onOpened: (opened: Opened) => void
}

export const PaletteHost = ({ opened, round, onOpened }: HostProps) => {
  const close = () => onOpened(null)
  return (
    <>
      <Palette
        open={opened === 'palette'}
        round={round}
        onClose={close}
        onSheet={() => onOpened('sheet')}
        onPushAll={() => onOpened('pushAll')}
      />
      <ShortcutSheet open={opened === 'sheet'} onClose={close} />
      {opened === 'pushAll' ? <PushAll onClose={close} /> : null}
    </>
  )
}
