/** An uploaded image: choose, see it in the box it is shown in, take it away. */

import { IMAGE_TYPES, LOGO_BOX, sizeText, UPLOAD_PURPOSES } from '@tidegate/contract/uploads'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '../../shared/Field.tsx'
import { sendPicture } from '../../shared/picture.ts'
import type { RecordForm } from './form.ts'

interface Props {
  form: RecordForm
  path: string
  label: string
  purpose: 'logo' | 'favicon'
  /** Shown on the dark ground that it is made for. */
  dark?: boolean
}

/** Sends the file; gives its address, or what is wrong with it. */
const useUpload = (purpose: Props['purpose'], onDone: (url: string) => void) => {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const send = async (file: File) => {
    setBusy(true)
    setFailed('')
    const sent = await sendPicture(purpose, file)
    setBusy(false)
    if ('url' in sent) onDone(sent.url)
    else setFailed(sent.wrong)
  }
  return { busy, failed, send, clear: () => setFailed('') }
}

export const ImageMember = ({ form, path, label, purpose, dark = false }: Props) => {
  const { t } = useTranslation('settings')
  const input = useRef<HTMLInputElement>(null)
  const upload = useUpload(purpose, (url) => form.set(path, url))
  const { max, types } = UPLOAD_PURPOSES[purpose]
  const url = form.text(path)
  const box = purpose === 'logo' ? `${LOGO_BOX.width}×${LOGO_BOX.height}` : '32×32'
  const hint = t('imageHint', { max: sizeText(max), box, types: types.join(', ').toUpperCase() })
  const error = upload.failed === '' ? form.errorOf(path) : upload.failed
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="settings-upload">
          <span
            className={`settings-logo${dark ? ' settings-logo-dark' : ''}${purpose === 'favicon' ? ' settings-logo-small' : ''}`}
          >
            {url === '' ? null : <img src={url} alt={label} />}
          </span>
          <input
            {...control}
            ref={input}
            type="file"
            tabIndex={-1}
            accept={types.map((type) => IMAGE_TYPES[type]).join(',')}
            disabled={!form.row.editable}
            onChange={(event) => {
              const file = event.target.files?.[0]
              event.target.value = ''
              if (file !== undefined) void upload.send(file)
            }}
          />
          <Button loading={upload.busy} disabled={!form.row.editable} onClick={() => input.current?.click()}>
            {t('upload')}
          </Button>
          {url === '' ? null : (
            <Button
              type="text"
              aria-label={t('removeWhat', { what: label })}
              onClick={() => {
                upload.clear()
                form.set(path, '')
              }}
            >
              {t('remove')}
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
