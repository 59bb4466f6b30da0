/** What the staff can do with an order: who handles it, and where it goes. */
import { mayMove } from '@tidegate/contract/work-order'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { useSay } from '../../shared/useSay.tsx'
import { useMay } from '../../shell/session.ts'
import { type Order, useAssignees } from './api.ts'

type Action = 'complete' | 'reject' | 'close' | 'reopen'
const ACTIONS: readonly Action[] = ['complete', 'reject', 'close', 'reopen']

const MoveDialog = ({ id, action, onClose }: { id: number; action: Action; onClose: (done: boolean) => void }) => {
  const { t } = useTranslation(['workorder', 'shared'])
  const say = useSay()
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const titles: Record<Action, string> = {
    complete: t('completeTitle'),
    reject: t('rejectTitle'),
    close: t('closeTitle'),
    reopen: t('reopenTitle'),
  }
  const run = async () => {
    setBusy(true)
    try {
      await call('workOrder.move', { id, action, reason })
      say.ok('done')
      onClose(true)
    } catch (error) {
      say.failed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <PageModal
      open
      title={titles[action]}
      okText={t('confirm')}
      cancelText={t('cancel', { ns: 'shared' })}
      okButtonProps={{
        danger: action === 'reject',
        loading: busy,
        disabled: action === 'reject' && reason.trim() === '',
      }}
      onOk={() => void run()}
      onCancel={() => onClose(false)}
    >
      <Input.TextArea
        aria-label={t('reason')}
        placeholder={action === 'reject' ? t('reasonNeeded') : t('reasonOptional')}
        rows={4}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </PageModal>
  )
}

const Assignee = ({ order, onDone }: { order: Order; onDone: () => void }) => {
  const { t } = useTranslation('workorder')
  const say = useSay()
  const may = useMay('cdn:work-order:save')
  const { data = [] } = useAssignees(may)
  if (!may) return <span>{order.assignee?.name ?? t('nobody')}</span>
  const assign = async (adminId: number | null) => {
    try {
      await call('workOrder.assign', { ids: [order.id], adminId })
      say.ok('done')
      onDone()
    } catch (error) {
      say.failed(error)
    }
  }
  return (
    <Select<number>
      allowClear
      aria-label={t('assignee')}
      placeholder={t('nobody')}
      className="tool-select"
      value={order.assignee?.id ?? null}
      onChange={(id) => void assign(id ?? null)}
      options={data.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}

export const StaffPanel = ({ order, onDone }: { order: Order; onDone: () => void }) => {
  const { t } = useTranslation('workorder')
  const may = useMay('cdn:work-order:save')
  const [action, setAction] = useState<Action | null>(null)
  const words: Record<Action, string> = {
    complete: t('complete'),
    reject: t('reject'),
    close: t('close'),
    reopen: t('reopen'),
  }
  const legal = may ? ACTIONS.filter((one) => mayMove(order, one, 'admin')) : []
  return (
    <>
      <p className="order-fact">
        <span className="tg-soft">{t('assignee')}</span>
        <Assignee order={order} onDone={onDone} />
      </p>
      {legal.length === 0 ? null : (
        <div className="tg-row">
          {legal.map((one) => (
            <Button
              key={one}
              type={one === 'complete' ? 'primary' : 'default'}
              danger={one === 'reject'}
              onClick={() => setAction(one)}
            >
              {words[one]}
            </Button>
          ))}
        </div>
      )}
      {action === null ? null : (
        <MoveDialog
          id={order.id}
          action={action}
          onClose={(done) => {
            setAction(null)
            if (done) onDone()
          }}
        />
      )}
    </>
  )
}
