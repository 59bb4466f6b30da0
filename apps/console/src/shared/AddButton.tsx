/** The action that every list begins with. */
import { Icon } from '@tidegate/ui/Icon.tsx'
import { Button } from 'antd'

export const AddButton = ({ label, onAdd }: { label: string; onAdd: () => void }) => (
  <Button type="primary" icon={<Icon name="plus" />} onClick={onAdd}>
    {label}
  </Button>
)
