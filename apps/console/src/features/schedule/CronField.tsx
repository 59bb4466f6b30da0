/** A cron expression with what it means: in words, and the next five times. */
import { useUi } from '@tidegate/ui/context'
import { absolute } from '@tidegate/ui/format'
import { Form, Input } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { cronView } from './cron-view.ts'

type Look = typeof cronView

/** Undefined until it is loaded; without it the server still checks. */
export const useCronView = (): Look | undefined => {
  const [look, setLook] = useState<Look>()
  useEffect(() => {
    let gone = false
    import('./cron-view.ts').then(
      (module) => gone || setLook(() => module.cronView),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [])
  return look
}

const Meaning = ({ look }: { look: Look | undefined }) => {
  const { t } = useTranslation('schedule')
  const { lang, timeZone } = useUi()
  const text = Form.useWatch<string | undefined>('cron') ?? ''
  const view = useMemo(() => look?.(text, lang, timeZone, Date.now()), [look, text, lang, timeZone])
  if (view === undefined || view.fault !== '') return <p className="tg-faint schedule-meaning">{t('cronHint')}</p>
  return (
    <div className="schedule-meaning" aria-live="polite">
      <p>{view.words}</p>
      <p className="tg-faint">{t('nextFive', { zone: timeZone })}</p>
      <ol className="tg-mono">
        {view.next.map((iso) => (
          <li key={iso}>{absolute(iso, timeZone)}</li>
        ))}
      </ol>
    </div>
  )
}

export const CronField = () => {
  const { t } = useTranslation('schedule')
  const { lang, timeZone } = useUi()
  const look = useCronView()
  const check = async (_rule: unknown, text: string | undefined) => {
    const fault = look?.(text ?? '', lang, timeZone, Date.now()).fault ?? ''
    if (fault !== '') throw new Error(fault)
  }
  return (
    <>
      <Form.Item name="cron" label={t('cron')} required rules={[{ validator: check }]}>
        <Input className="tg-mono" maxLength={100} spellCheck={false} autoComplete="off" />
      </Form.Item>
      <Meaning look={look} />
    </>
  )
}
