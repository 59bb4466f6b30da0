/** A search field that searches on Enter and when it is cleared. */
import { Input } from 'antd'
import { useState } from 'react'
import { Icon } from './Icon.tsx'

/** `label` is placeholder and name; `value` what is being searched for now. */
export const SearchBox = ({
  label,
  value,
  onSearch,
}: {
  label: string
  value: string
  onSearch: (text: string) => void
}) => {
  const [typed, setTyped] = useState(value)
  return (
    <Input
      allowClear
      aria-label={label}
      placeholder={label}
      prefix={<Icon name="search" size={14} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value)
        if (event.target.value === '') onSearch('')
      }}
      onPressEnter={() => onSearch(typed.trim())}
      className="tool-search"
    />
  )
}
