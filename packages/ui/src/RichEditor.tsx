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

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Pictures that are dropped or pasted go the way of those that are chosen; without an `upload` they are left out. */
const takePictures = async (quill: Quill, at: number, files: readonly File[], upload: RichEditorProps['upload']) => {
  let next = at
  for (const file of files) {
    const url = upload === undefined ? null : await upload(file)
    if (url === null) continue
    quill.insertEmbed(next, 'image', url, 'user')
    next += 1
  }
  quill.setSelection(next)
}

const choosePicture = async (quill: Quill, upload: NonNullable<RichEditorProps['upload']>) => {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = PICTURES.join(',')
  input.addEventListener('change', async () => {
    const file = input.files?.[0]
    if (file === undefined) return
    await takePictures(quill, quill.getSelection(true).index, [file], upload)
  })
  input.click()
}

const SCHEMES = ['http', 'https', 'ftp', 'mailto', 'tel']

/** The kinds of paragraph by the picker's value, '' for plain text: the editor's own names for them are English. */
type Kinds = Readonly<Record<string, string>>

const nameKinds = (frame: ParentNode | null, kinds: Kinds) => {
  for (const one of frame?.querySelectorAll<HTMLElement>('.ql-header .ql-picker-item, .ql-header .ql-picker-label') ??
    [])
    one.dataset.label = kinds[one.dataset.value ?? ''] ?? ''
}

const start = async (place: HTMLElement, label: string, kinds: Kinds, upload: RichEditorProps['upload']) => {
  const [{ default: Editor }] = await Promise.all([import('quill'), import('quill/dist/quill.snow.css')])
  const link = Editor.import('formats/link') as { PROTOCOL_WHITELIST: string[] }
  link.PROTOCOL_WHITELIST = SCHEMES
  const container = [...BUTTONS, ...(upload === undefined ? [] : [['image']]), ['clean']]
  const uploader = {
    mimetypes: PICTURES,
    handler: (range: { index: number }, files: File[]) => void takePictures(quill, range.index, files, upload),
  }
  const quill = new Editor(place, { theme: 'snow', modules: { toolbar: { container }, uploader } })
  nameKinds(place.parentElement, kinds)
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
  const kinds = useRef<Kinds>({})
  kinds.current = { '': t('paragraph'), 2: t('heading'), 3: t('subheading') }
  const [failed, setFailed] = useState(false)
  tell.current = onChange
  useEffect(() => {
    const frame = box.current
    if (frame === null) return
    // The editor puts its bar beside the place it is given: both go with the frame's content.
    const place = document.createElement('div')
    frame.append(place)
    let gone = false
    start(place, label, kinds.current, upload).then(
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
