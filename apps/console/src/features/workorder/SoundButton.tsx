/** Switches the notification sound on and off after the first choice. */
import { SOUND_CHOICE } from '@tidegate/contract/enums'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { play, useSound } from '../../shared/order/sound.ts'

export const SoundButton = () => {
  const { t } = useTranslation('workorder')
  const { choice, choose } = useSound()
  const on = choice === SOUND_CHOICE.allowed
  const press = () => {
    choose(on ? SOUND_CHOICE.refused : SOUND_CHOICE.allowed)
    if (!on) void play()
  }
  return (
    <Button icon={<Icon name="bell" />} aria-pressed={on} onClick={press}>
      {on ? t('soundOn') : t('soundOff')}
    </Button>
  )
}
