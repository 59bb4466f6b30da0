/** A field for certificates, keys, JSON and other machine text. A plain text area until the editor's code is here, and for good if it does not come. */
import { Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { CodeMode, CodeView } from './code-editor-view.ts'

interface Props {
  /** What readers call it. */
  label: string
  mode: CodeMode
  value: string
  onChange: (text: string) => void
  id?: string
  hint?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

const nonceOf = () => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

const attributesOf = (props: Props): Record<string, string> => ({
  'aria-label': props.label,
  'aria-multiline': 'true',
  spellcheck: 'false',
  autocorrect: 'off',
  autocapitalize: 'off',
  ...(props['aria-invalid'] ? { 'aria-invalid': 'true' } : {}),
  ...(props['aria-describedby'] === undefined ? {} : { 'aria-describedby': props['aria-describedby'] }),
})

export const CodeEditor = (props: Props) => {
  const { label, mode, value, onChange, id, hint = '' } = props
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<CodeView>(null)
  const latest = useRef(props)
  latest.current = props
  const [ready, setReady] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes later is told to the view below
  useEffect(() => {
    let gone = false
    const open = async () => {
      const { openCode } = await import('./code-editor-view.ts')
      if (gone || parent.current === null) return
      view.current = openCode({
        parent: parent.current,
        text: latest.current.value,
        mode,
        attributes: attributesOf(latest.current),
        hint,
        nonce: nonceOf(),
        onText: (text) => latest.current.onChange(text),
      })
      setReady(true)
    }
    open().catch(() => undefined)
    return () => {
      gone = true
      view.current?.destroy()
      view.current = null
      setReady(false)
    }
  }, [mode])
  useEffect(() => view.current?.setText(value), [value])
  const said = JSON.stringify(attributesOf(props))
  useEffect(() => view.current?.setAttributes(JSON.parse(said) as Record<string, string>), [said])
  return (
    <div
      className={`tg-code${props['aria-invalid'] ? ' tg-code-wrong' : ''}`}
      {...(ready && id !== undefined ? { id } : {})}
    >
      <div ref={parent} className="tg-code-view" hidden={!ready} />
      {ready ? null : (
        <Input.TextArea
          {...(id === undefined ? {} : { id })}
          aria-label={label}
          {...(props['aria-invalid'] ? { 'aria-invalid': true } : {})}
          aria-describedby={props['aria-describedby']}
          value={value}
          rows={8}
          spellCheck={false}
          autoComplete="off"
          className="tg-mono"
          placeholder={hint}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}
