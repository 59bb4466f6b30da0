/** CodeMirror with what the consoles need of it; loaded when an editor is first shown. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export type CodeMode = 'pem' | 'json' | 'text'

export interface CodeOptions {
  parent: HTMLElement
  text: string
  mode: CodeMode
  /** Attributes of the editable element: name, error. */
  attributes: Record<string, string>
  hint: string
  /** The page's, for the style elements that the editor adds. */
  nonce: string
  onText: (text: string) => void
}

export interface CodeView {
  setText(text: string): void
  setAttributes(attributes: Record<string, string>): void
  destroy(): void
}

/** The lines that frame a certificate or key. */
const pem = StreamLanguage.define({
  token: (stream) => {
    const framed = stream.match(/^-----(BEGIN|END) [A-Z0-9 ]+-----/)
    stream.skipToEnd()
    return framed ? 'keyword' : null
  },
})

const languages: Record<CodeMode, () => Extension> = { pem: () => pem, json: () => json(), text: () => [] }

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--tg-link)' },
  { tag: [tags.string, tags.propertyName], color: 'var(--tg-good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--tg-warn-text)' },
])

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--tg-panel)', color: 'var(--tg-text)', fontSize: '12px', height: '100%' },
  '.cm-content': { caretColor: 'var(--tg-text)', padding: '6px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--tg-text)' },
  '.cm-scroller': { fontFamily: '"JetBrains Mono", "SFMono-Regular", Consolas, "DejaVu Sans Mono", monospace' },
  '.cm-gutters': { backgroundColor: 'var(--tg-sunken)', color: 'var(--tg-text-faint)', border: 'none' },
  '.cm-placeholder': { color: 'var(--tg-text-faint)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--tg-line-strong)',
  },
})

/** Tab leaves the field, as in every other one. */
export const openCode = (options: CodeOptions): CodeView => {
  const { parent, text, mode, attributes, hint, nonce, onText } = options
  const said = new Compartment()
  const attributesOf = (given: Record<string, string>) => EditorView.contentAttributes.of(given)
  let quiet = false
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        lineNumbers(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        keymap.of([...defaultKeymap, ...historyKeymap]),
        placeholder(hint),
        languages[mode](),
        syntaxHighlighting(colours),
        look,
        said.of(attributesOf(attributes)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !quiet) onText(update.state.doc.toString())
        }),
      ],
    }),
  })
  return {
    setText: (next) => {
      if (view.state.doc.toString() === next) return
      quiet = true
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
      quiet = false
    },
    setAttributes: (next) => view.dispatch({ effects: said.reconfigure(attributesOf(next)) }),
    destroy: () => view.destroy(),
  }
}
