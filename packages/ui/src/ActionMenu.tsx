/** A menu behind a button: open it takes the focus, so that the arrow keys move in it; closed it gives the focus back. */
import { Dropdown, type DropdownProps, type MenuProps } from 'antd'
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

/** What else can be done with a row, behind three dots; nothing where there is nothing. `label` names the row. */
export const MoreMenu = ({ label, items }: { label: string; items: NonNullable<MenuProps['items']> }) =>
  items.length === 0 ? null : (
    <ActionMenu menu={{ items }}>
      <button type="button" className="tg-link-button" aria-label={label}>
        ···
      </button>
    </ActionMenu>
  )
