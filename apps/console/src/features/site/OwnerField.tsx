/** The customer that a site belongs to, found by typing; only in the operator's console and for who may see customers. */
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { here } from '../../shared/console.ts'
import { Field } from '../../shared/Field.tsx'
import { useSettled } from '../../shared/useSettled.ts'
import { useMay } from '../../shell/session.ts'
import type { PartProps } from './fields.tsx'

export interface Owner {
  id: number
  name: string
}

/** Whether owners of sites are anything to show here. */
export const useSeesOwners = (): boolean => {
  const may = useMay('account:users:users')
  return here.audience === 'admin' && may
}

const useFound = (typed: string) => {
  const key = useSettled(typed)
  return useQuery({
    queryKey: ['customer', 'pick', key],
    queryFn: ({ signal }) => call('customer.list', { limit: 20, ...(key === '' ? {} : { key }) }, { signal }),
    select: (answer) => answer.data.list.map((user) => ({ value: user.id, label: user.username })),
    placeholderData: (old) => old,
  })
}

interface PickerProps {
  id?: string
  label: string
  placeholder: string
  value: Owner | null
  onChange: (owner: Owner | null) => void
}

export const OwnerPicker = ({ id, label, placeholder, value, onChange }: PickerProps) => {
  const [typed, setTyped] = useState('')
  const found = useFound(typed)
  const options = found.data ?? []
  const shown =
    value === null || options.some((o) => o.value === value.id)
      ? options
      : [{ value: value.id, label: value.name }, ...options]
  return (
    <Select<number>
      {...(id === undefined ? {} : { id })}
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      aria-label={label}
      placeholder={placeholder}
      className="tool-select"
      loading={found.isFetching}
      value={value?.id ?? null}
      options={shown}
      onChange={(chosen?: number) => {
        const option = shown.find((o) => o.value === chosen)
        onChange(option === undefined ? null : { id: option.value, name: option.label })
      }}
    />
  )
}

export const OwnerField = ({ form, errors, onForm }: PartProps) => {
  const { t } = useTranslation('site')
  if (!useSeesOwners()) return null
  return (
    <Field label={t('owner')} hint={t('ownerHint')} error={errors.find((e) => e.path === 'userId')?.msg}>
      {(control) => (
        <OwnerPicker
          id={control.id}
          label={t('owner')}
          placeholder={t('ownerNone')}
          value={form.owner}
          onChange={(owner) => onForm({ owner })}
        />
      )}
    </Field>
  )
}
