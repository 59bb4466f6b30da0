/** A form in tabs: which of them hold changes or errors, one bar to save or discard, and the way to the field that is wrong. */
import { Button, Tabs } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import './texts.ts'

export interface FormTab {
  key: string
  label: string
  children: ReactNode
  /** Fields changed and fields wrong; left out for a tab that holds none. */
  dirty?: number
  wrong?: number
}

interface Props {
  tabs: readonly FormTab[]
  active: string
  onTab: (key: string) => void
  busy: boolean
  onSave: () => Promise<unknown>
  onDiscard: () => void
}

const sum = (tabs: readonly FormTab[], of: (tab: FormTab) => number | undefined) =>
  tabs.reduce((total, tab) => total + (of(tab) ?? 0), 0)

const TabName = ({ tab }: { tab: FormTab }) => {
  const { t } = useTranslation('ui')
  const { label, dirty = 0, wrong = 0 } = tab
  return (
    <span>
      {label}
      {wrong > 0 ? (
        <span className="tg-tab-wrong" title={t('wrongHere', { n: wrong })}>
          {wrong}
        </span>
      ) : dirty > 0 ? (
        <i className="tg-tab-dirty" role="img" aria-label={t('changedHere', { n: dirty })} />
      ) : null}
    </span>
  )
}

const WRONG = '[aria-invalid="true"], .field-wrong input, .field-wrong textarea, .field-wrong button'

/** Moves to the next field that is wrong after the one that has the cursor, the first one at the end. False when there is none. */
const focusWrong = (pane: ParentNode): boolean => {
  const fields = [...pane.querySelectorAll<HTMLElement>(WRONG)]
  const at = document.activeElement instanceof HTMLElement ? fields.indexOf(document.activeElement) : -1
  const next = fields[at + 1] ?? fields[0]
  next?.scrollIntoView?.({ block: 'center' })
  next?.focus()
  return next !== undefined
}

/** `jump` leads to the first field that is wrong, in whichever tab. */
const useJump = ({ tabs, active, onTab }: Pick<Props, 'tabs' | 'active' | 'onTab'>) => {
  const box = useRef<HTMLDivElement>(null)
  const [target, setTarget] = useState<string | null>(null)
  useEffect(() => {
    const outer = box.current
    if (target === null || target !== active || outer === null) return
    const look = () => {
      const pane = outer.querySelector(`[role="tabpanel"][id$="-panel-${target}"]`)
      const found = pane !== null && focusWrong(pane)
      if (found) setTarget(null)
      return found
    }
    if (look()) return
    // A tab that is opened for the first time gets its fields a moment later.
    const watch = new MutationObserver(() => look() && watch.disconnect())
    watch.observe(outer, { childList: true, subtree: true, attributes: true })
    return () => watch.disconnect()
  }, [target, active])
  const jump = () => {
    const wrong = tabs.filter((tab) => (tab.wrong ?? 0) > 0)
    const tab = wrong.find(({ key }) => key === active) ?? wrong[0]
    if (tab === undefined) return
    setTarget(tab.key)
    if (tab.key !== active) onTab(tab.key)
  }
  return { box, jump }
}

const SaveBar = ({
  dirty,
  wrong,
  busy,
  onJump,
  onSave,
  onDiscard,
}: Pick<Props, 'busy' | 'onDiscard'> & { dirty: number; wrong: number; onJump: () => void; onSave: () => void }) => {
  const { t } = useTranslation('ui')
  return (
    <section className="tg-save-bar" aria-label={t('unsaved', { n: dirty })}>
      <span>
        {t('unsaved', { n: dirty })}
        {wrong === 0 ? null : (
          <button type="button" className="tg-save-wrong" onClick={onJump}>
            {t('toCorrect', { n: wrong })}
          </button>
        )}
      </span>
      <span className="tg-row">
        <Button onClick={onDiscard} disabled={busy}>
          {t('discard')}
        </Button>
        <Button type="primary" onClick={onSave} loading={busy}>
          {t('save')}
        </Button>
      </span>
    </section>
  )
}

/** The bar shows while something is changed. A save that found errors leads to the first of them. */
export const FormPage = ({ tabs, active, onTab, busy, onSave, onDiscard }: Props) => {
  const { box, jump } = useJump({ tabs, active, onTab })
  const [tried, setTried] = useState(false)
  const dirty = sum(tabs, (tab) => tab.dirty)
  const wrong = sum(tabs, (tab) => tab.wrong)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once after each save that was tried
  useEffect(() => {
    if (!tried || busy) return
    setTried(false)
    jump()
  }, [tried, busy])
  const save = async () => {
    await onSave()
    setTried(true)
  }
  return (
    <>
      <div className="tg-panel tg-form-tabs" ref={box}>
        <Tabs
          activeKey={active}
          onChange={onTab}
          items={tabs.map((tab) => ({ key: tab.key, label: <TabName tab={tab} />, children: tab.children }))}
        />
      </div>
      {dirty === 0 ? null : (
        <SaveBar
          dirty={dirty}
          wrong={wrong}
          busy={busy}
          onJump={jump}
          onSave={() => void save()}
          onDiscard={onDiscard}
        />
      )}
    </>
  )
}
