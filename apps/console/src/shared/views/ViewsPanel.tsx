/** The saved views of a list: saved, shown, renamed, deleted; by mouse or keyboard. */
import { useUi } from '@tidegate/ui/context'
import { Icon, type IconName } from '@tidegate/ui/Icon.tsx'
import type { Opened } from '@tidegate/ui/LazyPopover.tsx'
import { App, Button, Input, type InputRef } from 'antd'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { accountId } from '../account.ts'
import { MAX_VIEW_NAME, MAX_VIEWS, sameView, searchOf, useViewStore, type View, viewsOf, withView } from './views.ts'
import './views.css'
import './texts.ts'

const Small = ({ icon, name, onClick }: { icon: IconName; name: string; onClick: () => void }) => (
  <button type="button" className="tg-icon-button" aria-label={name} title={name} onClick={onClick}>
    <Icon name={icon} size={14} />
  </button>
)

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

export const ViewsPanel = ({ table, open, close }: { table: string } & Opened) => {
  const { t } = useTranslation('views')
  const { message } = App.useApp()
  const { views, isPresent, save, change, show } = useSavedViews(table)
  const [renaming, setRenaming] = useState('')
  /** What the list was before the last deletion, and the name that went. */
  const [gone, setGone] = useState<{ name: string; before: readonly View[] } | null>(null)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) panel.current?.querySelector<HTMLElement>('button, input')?.focus()
    else setGone(null)
  }, [open])
  const taken = (name: string) => views.some((view) => view.name === name)
  const rename = (view: View, name: string) => {
    change(views.map((v) => (v === view ? { ...v, name } : v)))
    setRenaming('')
  }
  return (
    <div ref={panel} className="views" role="dialog" aria-label={t('title')}>
      <strong>{t('title')}</strong>
      {views.length === 0 ? null : (
        <ul>
          {views.map((view) => (
            <li key={view.name}>
              {renaming === view.name ? (
                <NameForm
                  label={t('renameTo', { name: view.name })}
                  start={view.name}
                  okText={() => t('ok')}
                  wrong={(name) => (name !== view.name && taken(name) ? t('taken') : '')}
                  onOk={(name) => rename(view, name)}
                  onCancel={() => setRenaming('')}
                />
              ) : (
                <>
                  <button
                    type="button"
                    className="views-name"
                    aria-current={isPresent(view)}
                    onClick={() => {
                      show(view)
                      close()
                    }}
                  >
                    {view.name}
                  </button>
                  <span className="tg-row-tight">
                    <Small icon="edit" name={t('rename', { name: view.name })} onClick={() => setRenaming(view.name)} />
                    <Small
                      icon="trash"
                      name={t('delete', { name: view.name })}
                      onClick={() => {
                        setGone({ name: view.name, before: views })
                        change(views.filter((v) => v !== view))
                      }}
                    />
                  </span>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {gone === null ? null : (
        <p role="status" className="tg-row-tight">
          {t('gone', { name: gone.name })}
          <button
            type="button"
            className="tg-link-button"
            onClick={() => {
              change(gone.before)
              setGone(null)
            }}
          >
            {t('undo')}
          </button>
        </p>
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
