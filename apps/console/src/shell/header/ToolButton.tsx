/** A button of the top bar: an icon whose name is its tooltip and what readers hear. Takes what antd gives a trigger. */
import { Icon, type IconName } from '@tidegate/ui/Icon.tsx'
import type { ComponentProps } from 'react'

interface Props extends ComponentProps<'button'> {
  icon: IconName
  name: string
  pressed?: boolean
}

export const ToolButton = ({ icon, name, pressed, children, ...rest }: Props) => (
  <button {...rest} type="button" className="shell-tool" aria-label={name} title={name} aria-pressed={pressed}>
    <Icon name={icon} size={18} />
    {children}
  </button>
)
