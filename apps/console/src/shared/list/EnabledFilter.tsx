/** Chooses the enabled, the disabled or all rows of a list; stands in the address as `enabled`. */
import { Select } from 'antd'

interface Props {
  search: URLSearchParams
  set: (change: Record<string, string | undefined>) => void
  label: string
  enabled: string
  disabled: string
}

export const EnabledFilter = ({ search, set, label, enabled, disabled }: Props) => (
  <Select<string>
    allowClear
    aria-label={label}
    placeholder={label}
    className="tool-select"
    value={search.get('enabled')}
    onChange={(value) => set({ enabled: value ?? undefined })}
    options={[
      { value: '1', label: enabled },
      { value: '0', label: disabled },
    ]}
  />
)

/** As the operation takes it. */
export const enabledOf = (search: URLSearchParams): { enabled?: boolean } => {
  const enabled = search.get('enabled')
  return enabled === '1' || enabled === '0' ? { enabled: enabled === '1' } : {}
}
