/** Closing and reloading open pages. Asks before something typed is lost. */
import { App } from 'antd'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { hasUnsaved } from '../../shared/unsaved.ts'
import { addressOf, useTabs } from './tabs.ts'

export interface TabActions {
  close: (keys: readonly string[]) => Promise<void>
  refresh: (key: string) => Promise<void>
}

export const useTabActions = (): TabActions => {
  const { t } = useTranslation('shell')
  const { modal } = App.useApp()
  const navigate = useNavigate()
  /** Resolves to false when the person wants to keep what was typed. */
  const mayLose = async (keys: readonly string[]): Promise<boolean> => {
    const dirty = keys.filter(hasUnsaved)
    if (dirty.length === 0) return true
    return await modal.confirm({
      title: t('unsavedTitle'),
      content: t('unsavedText', { count: dirty.length }),
      okText: t('unsavedLeave'),
      cancelText: t('unsavedStay'),
      okButtonProps: { danger: true },
    })
  }
  const close = async (keys: readonly string[]) => {
    if (!(await mayLose(keys))) return
    const before = useTabs.getState().active
    useTabs.getState().close(keys)
    const { tabs, active } = useTabs.getState()
    if (active === before) return
    const next = tabs.find((tab) => tab.key === active)
    await navigate(next === undefined ? '/console' : addressOf(next))
  }
  const refresh = async (key: string) => {
    const tab = useTabs.getState().tabs.find((one) => one.key === key)
    if (tab !== undefined && (await mayLose([key]))) await navigate(`/redirect${addressOf(tab)}`, { replace: true })
  }
  const latest = useRef({ close, refresh })
  latest.current = { close, refresh }
  // The same all the time: the pages' entries in the strip are drawn anew only when something of theirs changes.
  return useMemo(
    () => ({ close: (keys) => latest.current.close(keys), refresh: (key) => latest.current.refresh(key) }),
    [],
  )
}
