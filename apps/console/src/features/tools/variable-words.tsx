/** Values of runtime variables in words. */
import type { VariableRow } from '@tidegate/contract/operations/tools'
import type { VariableUnit, VariableValue } from '@tidegate/contract/runtime-variables'
import { useUi } from '@tidegate/ui/context'
import { grouped } from '@tidegate/ui/format'
import { useTranslation } from 'react-i18next'
import './texts.ts'

export const useUnits = (): Record<VariableUnit, string> => {
  const { t } = useTranslation('tools')
  return { '': '', s: 's', MiB: 'MiB', '%': '%', rows: t('rows') }
}

/** A value with its unit. */
export const useValueText = (): ((value: VariableValue, unit: VariableRow['unit']) => string) => {
  const { t } = useTranslation('tools')
  const { lang } = useUi()
  const units = useUnits()
  return (value, unit) => {
    if (typeof value === 'boolean') return value ? t('on') : t('off')
    if (typeof value === 'string') return value === '' ? t('empty') : value
    const number = grouped(value, lang)
    return unit === '' ? number : unit === '%' ? `${number}%` : `${number} ${units[unit]}`
  }
}
