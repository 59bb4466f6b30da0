/** The lists' filters: label with its count, category. */
import { WORK_ORDER_LABELS } from '@tidegate/contract/enums'
import type { WorkOrderLabel } from '@tidegate/contract/work-order'
import { Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useCategories } from './api.ts'
import { useLabelWord } from './words.ts'

export const labelOf = (text: string | null): WorkOrderLabel | undefined => WORK_ORDER_LABELS.find((l) => l === text)

interface LabelProps {
  value: WorkOrderLabel | undefined
  counts: Readonly<Record<WorkOrderLabel, number>> | undefined
  onChange: (label: WorkOrderLabel | undefined) => void
}

export const LabelFilter = ({ value, counts, onChange }: LabelProps) => {
  const { t } = useTranslation('workorder')
  const word = useLabelWord()
  const all = counts === undefined ? undefined : Object.values(counts).reduce((a, b) => a + b, 0)
  const text = (name: string, n: number | undefined) => (n === undefined ? name : `${name} ${n}`)
  return (
    <div className="order-labels">
      <Segmented
        aria-label={t('state')}
        value={value ?? 'all'}
        onChange={(next) => onChange(labelOf(next))}
        options={[
          { value: 'all', label: text(t('all'), all) },
          ...WORK_ORDER_LABELS.map((label) => ({
            value: label as string,
            label: text(word(label)[1], counts?.[label]),
          })),
        ]}
      />
    </div>
  )
}

export const CategoryFilter = ({
  value,
  onChange,
}: {
  value: string | null
  onChange: (id: string | undefined) => void
}) => {
  const { t } = useTranslation('workorder')
  const { data = [] } = useCategories()
  return (
    <Select
      allowClear
      aria-label={t('category')}
      placeholder={t('category')}
      className="tool-select"
      value={value}
      onChange={(id: string | undefined) => onChange(id)}
      options={data.map(({ id, title }) => ({ value: String(id), label: title }))}
    />
  )
}

/** A filter of the address that is a number. */
export const numberOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
