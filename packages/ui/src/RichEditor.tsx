/** A field of rich text. The editor is loaded when the field is first shown. */
import type Quill from 'quill'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import './rich.css'
import './texts.ts'

export interface RichEditorProps {
  label: string
  /** HTML; later values than the first are the editor's own. */
  value?: string
  onChange?: (html: string) => void
  /** Takes a chosen picture and gives its address, or null when it was refused; without it there is no button for pictures. */
  upload?: ((file: File) => Promise<string | null>) | undefined
}

const BUTTONS = [
  [{ header: [2, 3, false] }],
  ['bold', 'italic', 'underline', 'strike'],
  [{ list: 'ordered' }, { list: 'bullet' }, { align: [] }],
  ['blockquote', 'code-block', 'link'],
]

/** Empty text is an empty string, not a paragraph with nothing in it. */
const htmlOf = (quill: Quill) => {
  const html = quill.getSemanticHTML().replaceAll('&nbsp;', ' ')
  return quill.getText().trim() === '' && !html.includes('<img') ? '' : html
}

const choosePicture = async (quill: Quill, upload: NonNullable<RichEditorProps['upload']>) => {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = 'image/png,image/jpeg,image/gif,image/webp'
  input.addEventListener('change', async () => {
    const file = input.files?.[0]
    if (file === undefined) return
    const at = quill.getSelection(true).index
    const url = await upload(file)
    if (url === null) return
    quill.insertEmbed(at, 'image', url, 'user')
    quill.setSelection(at + 1)
  })
  input.click()
}

const start = async (place: HTMLElement, label: string, upload: RichEditorProps['upload']) => {
  const [{ default: Editor }] = await Promise.all([import('quill'), import('quill/dist/quill.snow.css')])
  const container = [...BUTTONS, ...(upload === undefined ? [] : [['image']]), ['clean']]
  const quill = new Editor(place, { theme: 'snow', modules: { toolbar: { container } } })
  quill.root.setAttribute('aria-label', label)
  quill.root.setAttribute('role', 'textbox')
  quill.root.setAttribute('aria-multiline', 'true')
  if (upload !== undefined) {
    const toolbar = quill.getModule('toolbar') as { addHandler: (name: string, run: () => void) => void }
    toolbar.addHandler('image', () => void choosePicture(quill, upload))
  }
  return quill
}

export const RichEditor = ({ label, value = '', onChange, upload }: RichEditorProps) => {
  const { t } = useTranslation('ui')
  const box = useRef<HTMLDivElement>(null)
  const first = useRef(value)
  const tell = useRef(onChange)
  const [failed, setFailed] = useState(false)
  tell.current = onChange
  useEffect(() => {
    const frame = box.current
    if (frame === null) return
    // The editor puts its bar beside the place it is given: both go with the frame's content.
    const place = document.createElement('div')
    frame.append(place)
    let gone = false
    start(place, label, upload).then(
      (quill) => {
        if (gone) return
        quill.clipboard.dangerouslyPasteHTML(first.current, 'silent')
        quill.on('text-change', () => tell.current?.(htmlOf(quill)))
        frame.dataset.ready = 'true'
      },
      () => setFailed(true),
    )
    return () => {
      gone = true
      frame.replaceChildren()
    }
  }, [label, upload])
  return failed ? (
    <p className="tg-soft" role="alert">
      {t('editorFailed')}
    </p>
  ) : (
    <div className="tg-editor" ref={box} />
  )
}
