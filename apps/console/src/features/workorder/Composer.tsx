/** Where an answer is written: text with a draft, pictures, quick replies by a slash or from a list, notes for the staff. */
import { MAX_WORK_ORDER_TEXT } from '@tidegate/contract/limits'
import type { QuickReply } from '@tidegate/contract/operations/work-order'
import { contentText } from '@tidegate/contract/work-order'
import { Alert, Button, Checkbox, Input, Select } from 'antd'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { errorLine, isSilent } from '../../shared/api/error.ts'
import { here } from '../../shared/console.ts'
import { useUnsaved } from '../../shared/unsaved.ts'
import { useReplies } from './api.ts'
import { type Draft, useDraft } from './draft.ts'
import { PicturePicker } from './Pictures.tsx'

const SLASH = /^\/([a-z0-9_-]*)$/

/** Quick replies that a slash with the first letters of a shortcut means; none for any other text. */
export const suggested = (text: string, replies: readonly QuickReply[]): QuickReply[] => {
  const typed = SLASH.exec(text)?.[1]
  return typed === undefined ? [] : replies.filter((r) => r.shortcut !== '' && r.shortcut.startsWith(typed)).slice(0, 8)
}

const Suggestions = ({ list, onPick }: { list: readonly QuickReply[]; onPick: (reply: QuickReply) => void }) => {
  const { t } = useTranslation('workorder')
  if (list.length === 0) return null
  return (
    <ul className="order-suggestions" aria-label={t('quickReplies')}>
      {list.map((reply) => (
        <li key={reply.id}>
          <button type="button" onClick={() => onPick(reply)}>
            <span className="tg-mono">/{reply.shortcut}</span> {reply.title}
            <small className="tg-faint">{reply.content}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}

const ReplyPicker = ({ list, onPick }: { list: readonly QuickReply[]; onPick: (reply: QuickReply) => void }) => {
  const { t } = useTranslation('workorder')
  if (list.length === 0) return null
  return (
    <Select<number>
      showSearch={{ optionFilterProp: 'label' }}
      aria-label={t('quickReplies')}
      placeholder={t('quickReplies')}
      className="order-replies"
      popupMatchSelectWidth={280}
      value={null}
      onChange={(id) => {
        const reply = list.find((one) => one.id === id)
        if (reply !== undefined) onPick(reply)
      }}
      options={list.map((one) => ({ value: one.id, label: one.title }))}
    />
  )
}

interface SendState {
  busy: boolean
  failed: string
  send: () => void
}

const useSend = (id: number, draft: Draft, internal: boolean, onSent: () => void): SendState => {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const run = async () => {
    setBusy(true)
    setFailed('')
    const content = contentText(draft.text.trim(), draft.img)
    try {
      if (here.audience === 'admin') await call('workOrder.send', { id, content, internal })
      else await call('ownOrder.send', { id, content })
      onSent()
    } catch (error) {
      if (!isSilent(error)) setFailed(errorLine(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, failed, send: () => void run() }
}

interface ComposerProps {
  id: number
  /** The order's state allows a message to the other side; if not, the staff may still write notes. */
  mayTalk: boolean
  onSent: () => void
}

export const Composer = ({ id, mayTalk, onSent }: ComposerProps) => {
  const { t } = useTranslation('workorder')
  const staff = here.audience === 'admin'
  const [draft, change, clear] = useDraft(`order ${id}`)
  const [asNote, setAsNote] = useState(false)
  const replies = useReplies(staff).data ?? []
  const internal = staff && (asNote || !mayTalk)
  const empty = draft.text.trim() === '' && draft.img.length === 0
  useUnsaved(!empty)
  const { busy, failed, send } = useSend(id, draft, internal, () => {
    clear()
    onSent()
  })
  const list = suggested(draft.text, replies)
  const pick = ({ content }: QuickReply) =>
    change({ text: SLASH.test(draft.text) || draft.text === '' ? content : `${draft.text}\n${content}` })
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && list[0] !== undefined && !event.nativeEvent.isComposing) {
      event.preventDefault()
      pick(list[0])
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !empty && !busy) send()
  }
  return (
    <section className={`order-composer${internal ? ' order-composer-note' : ''}`} aria-label={t('write')}>
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Suggestions list={list} onPick={pick} />
      <Input.TextArea
        aria-label={internal ? t('note') : t('message')}
        placeholder={internal ? t('notePlaceholder') : staff ? t('answerPlaceholder') : t('messagePlaceholder')}
        autoSize={{ minRows: 3, maxRows: 12 }}
        maxLength={MAX_WORK_ORDER_TEXT}
        value={draft.text}
        onChange={(event) => change({ text: event.target.value })}
        onKeyDown={keys}
      />
      <PicturePicker img={draft.img} onChange={(img) => change({ img })} />
      <div className="order-send">
        {staff ? <ReplyPicker list={replies} onPick={pick} /> : null}
        {staff && mayTalk ? (
          <Checkbox checked={asNote} onChange={(event) => setAsNote(event.target.checked)}>
            {t('asNote')}
          </Checkbox>
        ) : null}
        <Button type="primary" disabled={empty} loading={busy} onClick={send}>
          {internal ? t('addNote') : t('send')}
        </Button>
      </div>
    </section>
  )
}
