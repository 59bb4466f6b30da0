/** Pictures of a message: thumbnails, a viewer behind them, and the choice of new ones. */
import { IMAGE_TYPES, MAX_WORK_ORDER_IMAGES, sizeText, UPLOAD_PURPOSES } from '@tidegate/contract/uploads'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { App, Image } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sendPicture } from '../../shared/picture.ts'

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
      const sent = await sendPicture('workOrder', file)
      if ('url' in sent) list.push(sent.url)
      else if (sent.wrong !== '') message.error(`${file.name}: ${sent.wrong}`)
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
