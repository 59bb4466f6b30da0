/** What a customer can do with an order beside writing: close it with a rating and a result, appeal once. */
import { mayMove } from '@tidegate/contract/work-order'
import { Button, Input, Radio, Rate } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { useSay } from '../../shared/useSay.tsx'
import type { Order } from './api.ts'

/** Runs a call, says how it ended. */
const useRun = (onDone: () => void) => {
  const say = useSay()
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
      say.ok('done')
      onDone()
    } catch (error) {
      say.failed(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, run: (work: () => Promise<unknown>) => void run(work) }
}

const CloseForm = ({ id, onDone }: { id: number; onDone: () => void }) => {
  const { t } = useTranslation('workorder')
  const { busy, run } = useRun(onDone)
  const [solved, setSolved] = useState<boolean | null>(null)
  const [rating, setRating] = useState(0)
  const close = () => {
    if (solved !== null) run(() => call('ownOrder.close', { id, rating, solved }))
  }
  return (
    <section className="order-step" aria-label={t('rateTitle')}>
      <h2>{t('rateTitle')}</h2>
      <Radio.Group
        aria-label={t('result')}
        value={solved}
        onChange={(event) => setSolved(event.target.value as boolean)}
        options={[
          { value: true, label: t('solved') },
          { value: false, label: t('unsolved') },
        ]}
      />
      <Rate aria-label={t('rating')} value={rating} onChange={setRating} allowClear={false} />
      <Button disabled={solved === null || rating === 0} loading={busy} onClick={close}>
        {t('closeOrder')}
      </Button>
    </section>
  )
}

const AppealForm = ({ id, onDone }: { id: number; onDone: () => void }) => {
  const { t } = useTranslation('workorder')
  const { busy, run } = useRun(onDone)
  const [reason, setReason] = useState('')
  return (
    <section className="order-step" aria-label={t('appeal')}>
      <h2>{t('appeal')}</h2>
      <p className="tg-soft">{t('appealText')}</p>
      <Input.TextArea
        aria-label={t('reason')}
        placeholder={t('appealReason')}
        rows={3}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button
        disabled={reason.trim() === ''}
        loading={busy}
        onClick={() => run(() => call('ownOrder.appeal', { id, reason }))}
      >
        {t('appealSend')}
      </Button>
    </section>
  )
}

export const CustomerPanel = ({ order, onDone }: { order: Order; onDone: () => void }) => (
  <>
    {mayMove(order, 'rate', 'user') ? <CloseForm id={order.id} onDone={onDone} /> : null}
    {mayMove(order, 'appeal', 'user') ? <AppealForm id={order.id} onDone={onDone} /> : null}
  </>
)
