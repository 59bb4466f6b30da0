/** The talk of an order, oldest first: one's own at the right, the other side's at the left, notes and events between. */
import type { SenderInfo } from '@tidegate/contract/operations/work-order'
import { contentOf } from '@tidegate/contract/work-order'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { useTranslation } from 'react-i18next'
import { here } from '../../shared/console.ts'
import type { Order } from './api.ts'
import { Pictures } from './Pictures.tsx'
import { useEventWord } from './words.ts'

const Head = ({ info }: { info: SenderInfo }) => {
  const { t } = useTranslation('workorder')
  const staff = info.sender === 'admin' && here.audience === 'user'
  return (
    <p className="order-head">
      <strong>{staff ? t('staff') : info.name}</strong>
      {info.internal ? <span className="tg-warn">{t('note')}</span> : null}
      {info.actingName === '' ? null : <span className="tg-soft">{t('actedBy', { name: info.actingName })}</span>}
      <span className="tg-faint">
        <RelativeTime iso={info.createdate} />
      </span>
    </p>
  )
}

const Event = ({ info, order }: { info: SenderInfo & { event: Exclude<SenderInfo['event'], ''> }; order: Order }) => {
  const { t } = useTranslation('workorder')
  const word = useEventWord()
  const { text } = contentOf(info.content)
  const rated = info.event === 'rate' && order.rating !== null
  return (
    <li className="order-event">
      <span>
        <strong>{info.sender === 'admin' && here.audience === 'user' ? t('staff') : info.name}</strong>{' '}
        {word(info.event)}{' '}
        <span className="tg-faint">
          <RelativeTime iso={info.createdate} />
        </span>
      </span>
      {rated ? (
        <span>
          {t('ratedAs', { rating: order.rating })} · {order.solved === true ? t('solved') : t('unsolved')}
        </span>
      ) : null}
      {text === '' ? null : <q className="order-text">{text}</q>}
    </li>
  )
}

export const Conversation = ({ order }: { order: Order }) => {
  const { t } = useTranslation('workorder')
  return (
    <ol className="order-talk" aria-label={t('talk')}>
      {order.senderInfos.map((info) => {
        const { event } = info
        if (event !== '') return <Event key={info.id} info={{ ...info, event }} order={order} />
        const { text, img } = contentOf(info.content)
        const side = info.internal ? 'note' : info.sender === here.audience ? 'own' : 'other'
        return (
          <li key={info.id} className={`order-message order-${side}`}>
            <Head info={info} />
            {text === '' ? null : <p className="order-text">{text}</p>}
            <Pictures img={img} />
          </li>
        )
      })}
    </ol>
  )
}
