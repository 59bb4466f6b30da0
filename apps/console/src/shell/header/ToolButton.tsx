/** A button of the top bar: an icon whose name is its tooltip and what readers hear. */
import { Icon, type IconName } from '@tidegate/ui/Icon.tsx'
import type { ReactNode } from 'react'

interface Props {
  icon: IconName
  name: string
  onClick: () => void
  pressed?: boolean
  children?: ReactNode
}

export const ToolButton = ({ icon, name, onClick, pressed, children }: Props) => (
  <button type="button" className="shell-tool" aria-label={name} title={name} aria-pressed={pressed} onClick={onClick}>
    <Icon name={icon} size={18} />
    {children}
  </button>
)
