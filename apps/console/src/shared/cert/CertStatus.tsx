/** The state of a certificate, and how far an order has come. */
import type { CertStatus, CertStep } from '@tidegate/contract/cert'
import type { CertOrder, CertRow } from '@tidegate/contract/operations/cert'
import { useUi } from '@tidegate/ui/context'
import { absolute } from '@tidegate/ui/format'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import './cert.css'
import './texts.ts'

const TONES: Readonly<Record<CertStatus, Tone>> = {
  unapplied: 'idle',
  applying: 'busy',
  succeeded: 'good',
  failed: 'bad',
  own: 'good',
  expired: 'bad',
}

export const useCertWords = (): Readonly<Record<CertStatus, string>> => {
  const { t } = useTranslation('certificate')
  return {
    unapplied: t('unapplied'),
    applying: t('applying'),
    succeeded: t('succeeded'),
    failed: t('failed'),
    own: t('own'),
    expired: t('expired'),
  }
}

const useStepWords = (): Readonly<Record<CertStep, string>> => {
  const { t } = useTranslation('certificate')
  return {
    waiting: t('stepWaiting'),
    ordering: t('stepOrdering'),
    publishing: t('stepPublishing'),
    validating: t('stepValidating'),
    finalizing: t('stepFinalizing'),
    done: t('stepDone'),
    failed: t('stepFailed'),
  }
}

export const underWay = (order: Pick<CertOrder, 'step'> | null | undefined): boolean =>
  order !== null && order !== undefined && order.step !== 'done' && order.step !== 'failed'

export const CertStatusDot = ({ status }: { status: CertStatus }) => {
  const words = useCertWords()
  return <StatusDot tone={TONES[status]}>{words[status]}</StatusDot>
}

/** The state, and below it what is under way or went wrong last. */
export const CertStanding = ({ cert }: { cert: Pick<CertRow, 'status' | 'order'> }) => {
  const { t } = useTranslation('certificate')
  const steps = useStepWords()
  const { status, order } = cert
  const isRenewal = underWay(order) && (status === 'succeeded' || status === 'expired')
  const note = underWay(order)
    ? `${isRenewal ? `${t('running')} · ` : ''}${steps[order?.step ?? 'waiting']}`
    : status === 'own'
      ? ''
      : (order?.fault ?? '')
  return (
    <div className="tg-two cert-standing">
      <CertStatusDot status={status} />
      {note === '' ? null : (
        <span className="tg-faint" title={order?.detail}>
          {note}
        </span>
      )}
    </div>
  )
}

const WAY = ['waiting', 'ordering', 'publishing', 'validating', 'finalizing', 'done'] as const

/** Each step with its state; what is odd, what went wrong and when it is tried again. */
export const OrderProgress = ({ order }: { order: CertOrder }) => {
  const { t } = useTranslation('certificate')
  const words = useStepWords()
  const { timeZone } = useUi()
  const at = (WAY as readonly CertStep[]).indexOf(order.step)
  const toneOf = (i: number): Tone => (order.step === 'done' || i < at ? 'good' : i === at ? 'busy' : 'idle')
  return (
    <div className="cert-order">
      {order.step === 'failed' ? null : (
        <ol aria-label={t('steps')} aria-live="polite">
          {WAY.map((step, i) => (
            <li key={step} {...(i === at && { 'aria-current': 'step' as const })}>
              <StatusDot tone={toneOf(i)}>{words[step]}</StatusDot>
            </li>
          ))}
        </ol>
      )}
      {order.fault === '' ? null : (
        <Alert
          type={order.step === 'failed' ? 'error' : 'warning'}
          title={order.fault}
          description={
            <>
              {order.detail === '' ? null : <div className="cert-detail">{order.detail}</div>}
              {order.nextTime === '' ? null : (
                <div>{t('nextTry', { time: absolute(order.nextTime, timeZone), n: order.tries })}</div>
              )}
            </>
          }
        />
      )}
      {order.warnings.map((text) => (
        <Alert key={text} type="warning" title={text} />
      ))}
    </div>
  )
}
