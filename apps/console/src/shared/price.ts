/** Amounts in the installation's own price unit. */
import { useUi } from '@tidegate/ui/context'
import { price } from '@tidegate/ui/format'
import { useCallback } from 'react'
import { useSite } from './site-config.ts'

/** Formats cents behind the unit of the website settings; before those are known, behind the product's. */
export const usePrice = (): ((cents: number | bigint) => string) => {
  const { lang } = useUi()
  const unit = useSite((s) => s.web.priceUnit)
  return useCallback((cents) => price(cents, lang, unit === '' ? undefined : unit), [lang, unit])
}
