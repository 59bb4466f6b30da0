/** The saved views of a list: saved, shown, renamed, deleted; by mouse or keyboard. */
import { useUi } from '@tidegate/ui/context'
import type { Opened } from '@tidegate/ui/LazyPopover.tsx'
import { App, Button, Input, type InputRef } from 'antd'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { accountId } from '../account.ts'
import { MAX_VIEW_NAME, MAX_VIEWS, sameView, searchOf, useViewStore, type View, viewsOf, withView } from './views.ts'
import './views.css'
import './texts.ts'

/** A name that is being typed. */
interface NameFormProps {
  label: string
  start: string
  okText: (name: string) => string
  /** What is wrong with the name; '' = nothing. */
  wrong: (name: string) => string
  onOk: (name: string) => void
  onCancel?: () => void
}

const NameForm = ({ label, start, okText, wrong, onOk, onCancel }: NameFormProps) => {
  const { t } = useTranslation('views')
  const [text, setText] = useState(start)
  const input = useRef<InputRef>(null)
  const renames = onCancel !== undefined
  useEffect(() => {
    if (renames) input.current?.focus({ cursor: 'all' })
  }, [renames])
  const name = text.trim()
  const fault = name === '' ? '' : wrong(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name === '' || fault !== '') return
    onOk(name)
    setText('')
  }
  return (
    <form onSubmit={submit}>
      <Input
        ref={input}
        size="small"
        aria-label={label}
        placeholder={label}
        maxLength={MAX_VIEW_NAME}
        value={text}
        status={fault === '' ? '' : 'error'}
        onChange={(event) => setText(event.target.value)}
      />
      {fault === '' ? null : (
        <small role="alert" className="tg-bad">
          {fault}
        </small>
      )}
      <span className="tg-row-tight">
        <Button size="small" htmlType="submit" type="primary" disabled={name === '' || fault !== ''}>
          {okText(name)}
        </Button>
        {onCancel === undefined ? null : (
          <Button size="small" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
      </span>
    </form>
  )
}

/** What is shown at present, the views there are, and what can be done with them. */
const useSavedViews = (table: string) => {
  const { columns, setColumns } = useUi()
  const [search, setSearch] = useSearchParams()
  const account = accountId()
  const views = useViewStore(({ all }) => viewsOf(all, account, table))
  const set = useViewStore(({ set: store }) => store)
  const present = { search: searchOf(search), columns: columns[table] ?? null }
  return {
    views,
    isPresent: (view: View) => sameView(view, present),
    save: (name: string) => set(account, table, withView(views, { name, ...present })),
    change: (next: readonly View[]) => set(account, table, next),
    show: (view: View) => {
      setColumns(table, view.columns)
      setSearch(new URLSearchParams(view.search), { replace: true })
    },
  }
}

interface RowProps {
  view: View
  /** It is what is shown at present. */
  current: boolean
  /** Whether another view has this name. */
  taken: (name: string) => boolean
  onShow: () => void
  onRename: (name: string) => void
  onDelete: () => void
}

const ViewRow = ({ view: { name }, current, taken, onShow, onRename, onDelete }: RowProps) => {
  const { t } = useTranslation(['views', 'shared'])
  const [renaming, setRenaming] = useState(false)
  if (renaming)
    return (
      <NameForm
        label={t('renameTo', { name })}
        start={name}
        okText={() => t('ok')}
        wrong={(typed) => (typed !== name && taken(typed) ? t('taken') : '')}
        onOk={onRename}
        onCancel={() => setRenaming(false)}
      />
    )
  return (
    <>
      <button type="button" className="views-name" aria-current={current} onClick={onShow}>
        {name}
      </button>
      <span className="tg-row-tight">
        <button
          type="button"
          className="tg-link-button"
          aria-label={t('renameWhat', { name })}
          onClick={() => setRenaming(true)}
        >
          {t('rename')}
        </button>
        <button type="button" className="tg-link-button" aria-label={t('deleteWhat', { name })} onClick={onDelete}>
          {t('delete', { ns: 'shared' })}
        </button>
      </span>
    </>
  )
}

/** What was deleted last, and the way back. */
const Gone = ({ name, onUndo }: { name: string; onUndo: () => void }) => {
  const { t } = useTranslation('views')
  return (
    <p role="status" className="tg-row-tight">
      {t('gone', { name })}
      <button type="button" className="tg-link-button" onClick={onUndo}>
        {t('undo')}
      </button>
    </p>
  )
}

export const ViewsPanel = ({ table, open, close }: { table: string } & Opened) => {
  const { t } = useTranslation('views')
  const { message } = App.useApp()
  const { views, isPresent, save, change, show } = useSavedViews(table)
  /** The views before the last deletion, and the name that went. */
  const [gone, setGone] = useState<{ name: string; before: readonly View[] } | null>(null)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) panel.current?.querySelector<HTMLElement>('button, input')?.focus()
    else setGone(null)
  }, [open])
  const taken = (name: string) => views.some((view) => view.name === name)
  const row = (view: View) => (
    <li key={view.name}>
      <ViewRow
        view={view}
        current={isPresent(view)}
        taken={taken}
        onShow={() => {
          show(view)
          close()
        }}
        onRename={(name) => change(views.map((v) => (v === view ? { ...v, name } : v)))}
        onDelete={() => {
          setGone({ name: view.name, before: views })
          change(views.filter((v) => v !== view))
        }}
      />
    </li>
  )
  return (
    <div ref={panel} className="views" role="dialog" aria-label={t('title')}>
      <strong>{t('title')}</strong>
      {views.length === 0 ? null : <ul>{views.map(row)}</ul>}
      {gone === null ? null : (
        <Gone
          name={gone.name}
          onUndo={() => {
            change(gone.before)
            setGone(null)
          }}
        />
      )}
      <p className="tg-soft tg-small">{t('about')}</p>
      <NameForm
        label={t('name')}
        start=""
        okText={(name) => (taken(name) ? t('replace') : t('save'))}
        wrong={(name) => (!taken(name) && views.length >= MAX_VIEWS ? t('full', { max: MAX_VIEWS }) : '')}
        onOk={(name) => {
          save(name)
          message.success(t('saved'))
        }}
      />
    </div>
  )
}
