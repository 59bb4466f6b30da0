/** Search and commands by keyboard: a field, and below it what fits, in groups. */
import { Icon } from '@tidegate/ui/Icon.tsx'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useLogout } from '../ProfileMenu.tsx'
import type { Doings, Entry } from './entries.ts'
import { pieces } from './match.ts'
import { remember } from './recent.ts'
import { type Group, useGroups } from './useGroups.ts'
import './palette.css'
import './texts.ts'

const Marked = ({ text, words }: { text: string; words: readonly string[] }) =>
  pieces(text, words).map(({ at, text: part, hit }) => (hit ? <mark key={at}>{part}</mark> : part))

interface RowProps {
  id: string
  entry: Entry
  words: readonly string[]
  lit: boolean
  onLight: () => void
  onRun: () => void
}

/** The other language's title is shown when only that fits. */
const Row = ({ id, entry, words, lit, onLight, onRun }: RowProps) => {
  const fits = (text: string) => words.some((word) => text.toLowerCase().includes(word))
  const also = fits(entry.also) && !fits(entry.title) ? entry.also : ''
  const note = [also, entry.note].filter((text) => text !== '').join(' · ')
  useEffect(() => {
    if (lit) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [lit, id])
  return (
    <button
      type="button"
      role="option"
      id={id}
      aria-selected={lit}
      tabIndex={-1}
      className="palette-row"
      onMouseMove={onLight}
      onClick={onRun}
    >
      <Icon name={entry.icon} size={16} />
      <span className="palette-title">
        <Marked text={entry.title} words={words} />
      </span>
      <span className="palette-note">
        <Marked text={note} words={words} />
      </span>
    </button>
  )
}

/** Which row is lit, moved by keys; what is typed lights the first again. */
const useLit = (count: number, text: string) => {
  const [state, setState] = useState({ at: 0, text })
  const at = state.text === text ? Math.min(state.at, Math.max(count - 1, 0)) : 0
  const light = (next: number) => setState({ at: next, text })
  const move = (step: number) => light(count === 0 ? 0 : (at + step + count) % count)
  return { at, light, move }
}

/** The tabulator moves too: there is nowhere else to go inside the dialog. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

const Hints = () => {
  const { t } = useTranslation('palette')
  return (
    <p className="palette-hints" aria-hidden="true">
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd> {t('move')}
      </span>
      <span>
        <kbd>↵</kbd> {t('open')}
      </span>
      <span>
        <kbd>Esc</kbd> {t('close')}
      </span>
    </p>
  )
}

interface ListProps {
  id: string
  groups: readonly Group[]
  words: readonly string[]
  at: number
  onLight: (at: number) => void
  onRun: (entry: Entry) => void
}

const Groups = ({ id, groups, words, at, onLight, onRun }: ListProps) => {
  const { t } = useTranslation('palette')
  let next = 0
  return (
    <div role="listbox" id={id} aria-label={t('results')} tabIndex={-1} className="palette-list">
      {groups.map((group) => (
        <fieldset key={group.key} aria-labelledby={`${id}-${group.key}`}>
          <div className="palette-group" id={`${id}-${group.key}`} role="presentation">
            {group.title}
          </div>
          {group.entries.map((entry) => {
            const mine = next++
            return (
              <Row
                key={entry.key}
                id={`${id}-${mine}`}
                entry={entry}
                words={words}
                lit={mine === at}
                onLight={() => onLight(mine)}
                onRun={() => onRun(entry)}
              />
            )
          })}
        </fieldset>
      ))}
    </div>
  )
}

const Body = ({ doings, close }: { doings: Doings; close: () => void }) => {
  const { t } = useTranslation('palette')
  const id = useId()
  const [text, setText] = useState('')
  const { words, groups, waiting, failed } = useGroups(text, doings)
  const entries = groups.flatMap((group) => group.entries)
  const { at, light, move } = useLit(entries.length, text)
  const run = (entry: Entry) => {
    if (entry.path !== undefined) remember({ path: entry.path, title: entry.title, icon: entry.icon })
    close()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'Tab' ? (event.shiftKey ? -1 : 1) : STEPS[event.key]
    const entry = entries[at]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step !== undefined) move(step)
    else if (entry !== undefined) run(entry)
  }
  const none = entries.length === 0
  const said = waiting ? t('searching') : none ? t('none', { text }) : t('count', { count: entries.length })
  return (
    <>
      <div className="palette-field">
        <Icon name="search" size={18} />
        <input
          type="text"
          role="combobox"
          aria-label={t('palette')}
          aria-expanded={!none}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={none ? undefined : `${id}-${at}`}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          // biome-ignore lint/a11y/noAutofocus: whoever opens the palette is about to type
          autoFocus
          placeholder={t('placeholder')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <Groups id={id} groups={groups} words={words} at={at} onLight={light} onRun={run} />
      <p className={none && !waiting ? 'palette-none' : 'shell-unseen'} role="status">
        {said}
      </p>
      {failed ? <p className="palette-none tg-bad">{t('failed')}</p> : null}
      <Hints />
    </>
  )
}

interface PaletteProps {
  open: boolean
  /** Another number: begins anew. */
  round: number
  onClose: () => void
  onSheet: () => void
  onPushAll: () => void
}

export const Palette = ({ open, round, onClose, onSheet, onPushAll }: PaletteProps) => {
  const { t } = useTranslation('palette')
  const navigate = useNavigate()
  const logout = useLogout()
  const go = useCallback((path: string) => void navigate(path), [navigate])
  const doings = useMemo(
    (): Doings => ({ go, sheet: onSheet, pushAll: onPushAll, logout: () => void logout() }),
    [go, onSheet, onPushAll, logout],
  )
  return (
    <PageModal
      open={open}
      onCancel={onClose}
      title={<span className="shell-unseen">{t('palette')}</span>}
      footer={null}
      closable={false}
      width={640}
      className="palette"
    >
      <Body key={round} doings={doings} close={onClose} />
    </PageModal>
  )
}
