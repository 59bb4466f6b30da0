/** A free certificate for the domains of one site with one click, and how it goes. */
import { useQueryClient } from '@tanstack/react-query'
import type { SiteInfo } from '@tidegate/contract/operations/site'
import { App, Button, Drawer } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { OrderProgress } from '../../shared/cert/CertStatus.tsx'
import { CERTS, useCert } from '../../shared/cert/useCert.ts'
import { Failed } from '../../shared/Failed.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { SITES } from './api.ts'

/** `onDone` once, when it is there: the site has it already. */
const Progress = ({ id, onDone }: { id: number; onDone: (id: number) => void }) => {
  const cert = useCert(id)
  const isDone = cert.data?.order?.step === 'done'
  const told = useRef(false)
  useEffect(() => {
    if (!isDone || told.current) return
    told.current = true
    onDone(id)
  }, [isDone, id, onDone])
  if (cert.error !== null) return <Failed error={cert.error} onRetry={() => void cert.refetch()} />
  return cert.data?.order ? <OrderProgress order={cert.data.order} /> : <div className="tg-bone" />
}

export const ApplyButton = ({ site, onCert }: { site: SiteInfo; onCert: (certId: number) => void }) => {
  const { t } = useTranslation('site')
  const { message } = App.useApp()
  const say = useSay()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [id, setId] = useState<number | null>(null)
  const names = site.domains.filter((name) => !name.startsWith('*.'))
  const apply = async () => {
    setBusy(true)
    try {
      setId((await call('cert.apply', { names })).id)
      await client.invalidateQueries({ queryKey: CERTS })
    } catch (error) {
      say.failed(error)
    } finally {
      setBusy(false)
    }
  }
  const done = (certId: number) => {
    message.success(t('applyDone'))
    onCert(certId)
    void client.invalidateQueries({ queryKey: CERTS })
    void client.invalidateQueries({ queryKey: SITES })
  }
  const hint = names.length === 0 ? t('applyNone') : t('applyCertHint', { n: names.length })
  return (
    <>
      <Button loading={busy} disabled={names.length === 0} title={hint} onClick={() => void apply()}>
        {t('applyCert')}
      </Button>
      <Drawer open={id !== null} onClose={() => setId(null)} title={t('applyCert')} size={480} destroyOnHidden>
        {id === null ? null : <Progress id={id} onDone={done} />}
      </Drawer>
    </>
  )
}
