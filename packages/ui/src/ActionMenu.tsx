/** A menu behind a button: open it takes the focus, so that the arrow keys move in it; closed it gives the focus back. */
import { Dropdown, type DropdownProps } from 'antd'
import { useRef } from 'react'

export const ActionMenu = (props: Pick<DropdownProps, 'menu' | 'placement' | 'children'>) => {
  const opener = useRef<HTMLElement | null>(null)
  const onOpenChange = (open: boolean) => {
    const at = document.activeElement
    if (open) opener.current = at instanceof HTMLElement ? at : null
    // What a dialog opened from the menu gives the focus back to is then the button as well.
    else if (at === document.body || at?.closest('.ant-dropdown')) opener.current?.focus()
  }
  return <Dropdown autoFocus trigger={['click']} onOpenChange={onOpenChange} {...props} />
}
