/** Pictures of a message: thumbnails, a viewer behind them, and the choice of new ones. */

import { fieldText } from '@tidegate/contract/errors'
import { IMAGE_TYPES, imageTypeOf, MAX_WORK_ORDER_IMAGES, sizeText, UPLOAD_PURPOSES } from '@tidegate/contract/uploads'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { App, Image } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '../../shared/api/call.ts'
import { errorLine, isSilent } from '../../shared/api/error.ts'
import { currentLang } from '../../shared/i18n.ts'

const { max, types } = UPLOAD_PURPOSES.workOrder

export const Pictures = ({ img }: { img: readonly string[] }) => {
  const { t } = useTranslation('workorder')
  if (img.length === 0) return null
  return (
    <div className="order-pictures">
      <Image.PreviewGroup>
        {img.map((src, i) => (
          <Image key={src} src={src} alt={t('pictureN', { n: i + 1 })} width={72} height={72} />
        ))}
      </Image.PreviewGroup>
    </div>
  )
}

/** Why a file cannot be taken, in the person's language; null: it can. */
const faultOf = async (file: File): Promise<string | null> => {
  const lang = currentLang()
  if (file.size > max) return fieldText('image_size', lang, { max: sizeText(max) })
  const type = imageTypeOf(new Uint8Array(await file.slice(0, 16).arrayBuffer()))
  const fits = type !== null && (types as readonly string[]).includes(type)
  return fits ? null : fieldText('image_type', lang, { types: types.join(', ').toUpperCase() })
}

/** Checks and uploads files one after the other; says of each that failed why. */
const useUpload = (img: readonly string[], onChange: (img: string[]) => void) => {
  const { t } = useTranslation('workorder')
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const add = async (files: readonly File[]) => {
    setBusy(true)
    const list = [...img]
    if (list.length + files.length > MAX_WORK_ORDER_IMAGES)
      message.error(t('picturesMax', { max: MAX_WORK_ORDER_IMAGES }))
    for (const file of files.slice(0, MAX_WORK_ORDER_IMAGES - list.length)) {
      try {
        const fault = await faultOf(file)
        if (fault !== null) message.error(`${file.name}: ${fault}`)
        else list.push((await upload('workOrder', file)).url)
      } catch (error) {
        if (!isSilent(error)) message.error(`${file.name}: ${errorLine(error)}`)
      }
      onChange([...list])
    }
    setBusy(false)
  }
  return { busy, add: (files: readonly File[]) => void add(files) }
}

interface PickerProps {
  img: readonly string[]
  onChange: (img: string[]) => void
}

export const PicturePicker = ({ img, onChange }: PickerProps) => {
  const { t } = useTranslation('workorder')
  const input = useRef<HTMLInputElement>(null)
  const { busy, add } = useUpload(img, onChange)
  return (
    <div className="order-pictures">
      {img.map((src, i) => (
        <span key={src} className="order-picked">
          <img src={src} alt={t('pictureN', { n: i + 1 })} width={48} height={48} />
          <button
            type="button"
            aria-label={t('pictureRemove', { n: i + 1 })}
            onClick={() => onChange(img.filter((one) => one !== src))}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('pictures')}
        accept={types.map((type) => IMAGE_TYPES[type]).join(',')}
        onChange={(event) => {
          add([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      {img.length >= MAX_WORK_ORDER_IMAGES ? null : (
        <button
          type="button"
          className="order-add-picture"
          disabled={busy}
          title={t('picturesHint', { max: MAX_WORK_ORDER_IMAGES, size: sizeText(max) })}
          onClick={() => input.current?.click()}
        >
          <Icon name="plus" size={14} /> {busy ? t('uploading') : t('pictures')}
        </button>
      )}
    </div>
  )
}
