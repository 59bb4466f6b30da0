/** The system license: what was agreed with the supplier, what the installation holds and what it is. */
import { useQueryClient } from '@tanstack/react-query'
import { MAX_LICENSE_BYTES } from '@tidegate/contract/limits'
import { sizeText } from '@tidegate/contract/uploads'
import { Alert, App, Button } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { errorLine, isSilent } from '../../shared/api/error.ts'
import { Confirm } from '../../shared/Confirm.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { useMay } from '../../shell/session.ts'
import { LICENSE, type License, useLicense } from './api.ts'
import { Agreement, Installation, Use } from './Parts.tsx'
import './license.css'
import './texts.ts'

/** Sends the chosen file; `failed` says why it was not taken. */
const useUpload = () => {
  const { t } = useTranslation('license')
  const { message } = App.useApp()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const send = async (file: File) => {
    setFailed('')
    if (file.size > MAX_LICENSE_BYTES) {
      setFailed(t('tooBig', { max: sizeText(MAX_LICENSE_BYTES) }))
      return
    }
    setBusy(true)
    try {
      await call('license.save', { file: await file.text() })
      message.success(t('uploaded'))
      await client.invalidateQueries({ queryKey: LICENSE })
    } catch (error) {
      if (error instanceof DOMException) setFailed(t('unreadable'))
      else if (!isSilent(error)) setFailed(errorLine(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, failed, send, clear: () => setFailed('') }
}

const Actions = ({ data, busy, onFile }: { data: License; busy: boolean; onFile: (file: File) => void }) => {
  const { t } = useTranslation('license')
  const { message } = App.useApp()
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [removing, setRemoving] = useState(false)
  const community = data.state === 'community'
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={t('upload')}
        accept=".json,.license,application/json"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      {community ? null : <Button onClick={() => setRemoving(true)}>{t('remove')}</Button>}
      <Button
        type="primary"
        loading={busy}
        disabled={data.suppliers.length === 0}
        onClick={() => input.current?.click()}
      >
        {community ? t('upload') : t('replace')}
      </Button>
      {removing ? (
        <Confirm
          title={t('removeTitle')}
          question={t('removeText')}
          okText={t('remove')}
          danger
          onOk={async () => {
            await call('license.delete', {})
            message.success(t('removed'))
            await client.invalidateQueries({ queryKey: LICENSE })
          }}
          onClose={() => setRemoving(false)}
        />
      ) : null}
    </>
  )
}

export const Page = () => {
  const { t } = useTranslation('license')
  const { data, error, refetch } = useLicense()
  const maySave = useMay('home:auth:save')
  const upload = useUpload()
  return (
    <PageBody
      title={t('title')}
      sub={t('sub')}
      actions={
        maySave && data !== undefined ? (
          <Actions data={data} busy={upload.busy} onFile={(file) => void upload.send(file)} />
        ) : undefined
      }
    >
      {upload.failed === '' ? null : (
        <Alert
          type="error"
          showIcon
          className="license-alert"
          title={upload.failed}
          closable={{ onClose: upload.clear }}
        />
      )}
      {maySave && data !== undefined && data.suppliers.length === 0 ? (
        <p className="tg-soft tg-small license-alert">{t('noSupplier')}</p>
      ) : null}
      {error === null ? null : <Failed error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <div className="tg-bone" />
      ) : (
        <div className="license">
          <Agreement data={data} />
          <Use data={data} />
          <Installation data={data} />
        </div>
      )}
    </PageBody>
  )
}
