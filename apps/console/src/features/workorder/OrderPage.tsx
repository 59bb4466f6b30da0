/** One work order: the talk, and beside it what it is about and what can be done. `?id=` names it. */
import { mayMove } from '@tidegate/contract/work-order'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { here } from '../../shared/console.ts'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { usePageName } from '../../shared/page-key.ts'
import { useMay } from '../../shell/session.ts'
import { type Order, useOrder, useOrdersAgain } from './api.ts'
import { Composer } from './Composer.tsx'
import { Conversation } from './Conversation.tsx'
import { CustomerPanel } from './CustomerPanel.tsx'
import { StaffPanel } from './StaffPanel.tsx'
import './order.css'
import './texts.ts'
import { useLabelWord } from './words.ts'

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="order-fact">
    <span className="tg-soft">{label}</span>
    <span>{children}</span>
  </div>
)

const Facts = ({ order }: { order: Order }) => {
  const { t } = useTranslation('workorder')
  const word = useLabelWord()
  const [tone, label] = word(order.label)
  return (
    <>
      <Fact label={t('state')}>
        <StatusDot tone={tone}>{label}</StatusDot>
      </Fact>
      <Fact label={t('category')}>{order.categoryObj.title}</Fact>
      {here.audience === 'admin' ? <Fact label={t('customer')}>{order.userName}</Fact> : null}
      <Fact label={t('created')}>
        <RelativeTime iso={order.createDate} both />
      </Fact>
      {order.rating === null ? null : (
        <Fact label={t('rating')}>
          {t('ratedAs', { rating: order.rating })} · {order.solved === true ? t('solved') : t('unsolved')}
        </Fact>
      )}
    </>
  )
}

/** Tells the server what the customer sees, whenever something new is shown. */
const useSeen = (order: Order) => {
  const again = useOrdersAgain()
  const { id, unread } = order
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each number of unread replies
  useEffect(() => {
    if (here.audience !== 'user' || unread === 0) return
    call('ownOrder.read', { id }).then(again, () => {
      // It counts as unread until the next look.
    })
  }, [id, unread])
}

const Shown = ({ order }: { order: Order }) => {
  const { t } = useTranslation('workorder')
  const again = useOrdersAgain()
  const staff = here.audience === 'admin'
  const maySave = useMay('cdn:work-order:save')
  const mayTalk = mayMove(order, staff ? 'answer' : 'ask', here.audience)
  usePageName(`#${order.id} ${order.title}`)
  useSeen(order)
  const done = () => void again()
  return (
    <PageBody title={order.title} sub={`#${order.id}`}>
      <div className="order-page">
        <div className="tg-panel order-main">
          <Conversation order={order} />
          {(staff ? maySave : mayTalk) ? (
            <Composer key={order.id} id={order.id} mayTalk={mayTalk} onSent={done} />
          ) : null}
          {staff || mayTalk ? null : <p className="order-over tg-soft">{t('over')}</p>}
        </div>
        <aside className="tg-panel order-side" aria-label={t('about')}>
          <Facts order={order} />
          {staff ? <StaffPanel order={order} onDone={done} /> : <CustomerPanel order={order} onDone={done} />}
        </aside>
      </div>
    </PageBody>
  )
}

const Loaded = ({ id }: { id: number }) => {
  const { t } = useTranslation('workorder')
  const { data, error, refetch } = useOrder(id)
  if (data !== undefined) return <Shown order={data} />
  return (
    <PageBody title={t('heading')}>
      {error === null ? <div className="tg-bone" /> : <Failed error={error} onRetry={() => void refetch()} />}
    </PageBody>
  )
}

export const Page = () => {
  const { t } = useTranslation('workorder')
  const [search] = useSearchParams()
  const id = Number(search.get('id'))
  if (!Number.isSafeInteger(id) || id < 1)
    return (
      <div className="tg-empty">
        {t('noSuch')} <Link to="/cdn/work-order/list">{t('back')}</Link>
      </div>
    )
  return <Loaded id={id} />
}
