/** Rings for new work orders and replies, and asks once whether it may. Stands in the shell, so that it goes on on every page. */
import { SOUND_CHOICE } from '@tidegate/contract/enums'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useNewOrders } from '../../shared/order/api.ts'
import { claimNews, followSound, play, useSound } from '../../shared/order/sound.ts'
import { chainTo } from '../menu.ts'
import { useMay, useSession } from '../session.ts'
import '../texts.ts'
import './order.css'

const SCREEN = '/cdn/work-order/'

export const OrderWatch = () => {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const may = useMay('cdn:work-order:list')
  const reachable = useSession((s) => chainTo(s.menu, `${SCREEN}list`).length > 0)
  const news = useNewOrders(may && reachable)
  const { choice, choose } = useSound()
  useEffect(followSound, [])
  const lastId = news?.lastId
  useEffect(() => {
    if (lastId === undefined) return
    void claimNews(lastId).then((mine) => {
      if (mine && useSound.getState().choice === SOUND_CHOICE.allowed) void play()
    })
  }, [lastId])
  // Asked where it matters: on the screens of work orders, and wherever one waits.
  const due = news !== undefined && (pathname.startsWith(SCREEN) || news.newSum > 0)
  if (choice !== null || !due) return null
  const allow = () => {
    choose(SOUND_CHOICE.allowed)
    // The sound itself is the best answer, and lets the browser know that it is wanted.
    void play()
  }
  return (
    <section className="shell-sound" aria-label={t('sound')}>
      <Icon name="bell" />
      <span>{t('soundAsk')}</span>
      <button type="button" className="tg-link-button" onClick={allow}>
        {t('soundAllow')}
      </button>
      <button type="button" className="tg-link-button" onClick={() => choose(SOUND_CHOICE.refused)}>
        {t('soundRefuse')}
      </button>
    </section>
  )
}
