/** A button whose panel is fetched when it is first opened; the panel lives on when it is closed. Escape closes it and goes back to the button. */
import { Popover } from 'antd'
import { type ComponentType, createElement, useRef, useState } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { useLazy } from './useLazy.ts'

/** What every panel is told beside its own properties. */
export interface Opened {
  /** Whether somebody looks. */
  open: boolean
  close: () => void
}

interface Props<P extends object> {
  icon: IconName
  label: string
  /** Must stay the same function. */
  load: () => Promise<ComponentType<P & Opened>>
  panel: P
  /** Something of it is under way. */
  busy?: boolean
}

export const LazyPopover = <P extends object>({ icon, label, load, panel, busy = false }: Props<P>) => {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const Panel = useLazy(load, open)
  const turn = (on: boolean) => {
    setOpen(on)
    if (!on) button.current?.focus()
  }
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      arrow={false}
      open={open}
      onOpenChange={turn}
      content={
        Panel === undefined ? (
          <span className="tg-bone tg-bone-wide" />
        ) : (
          createElement(Panel, { ...panel, open, close: () => turn(false) })
        )
      }
    >
      <button
        ref={button}
        type="button"
        className="tg-icon-button tg-icon-button-32"
        aria-label={label}
        title={label}
        aria-busy={busy}
        aria-expanded={open}
      >
        <Icon name={icon} />
      </button>
    </Popover>
  )
}
