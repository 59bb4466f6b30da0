/** What kind of device the window is like: phone at 768 px or less, pad under 992, else pc (specification, section 2). */

import { useMedia } from '@tidegate/ui/useMedia'
import { useEffect } from 'react'

export const DEVICES = ['phone', 'pad', 'pc'] as const
export type Device = (typeof DEVICES)[number]

const PHONE = '(max-width: 768px)'
const BELOW_PC = '(max-width: 991.98px)'

export const useDevice = (): Device => {
  const phone = useMedia(PHONE)
  const small = useMedia(BELOW_PC)
  if (phone) return 'phone'
  return small ? 'pad' : 'pc'
}

/** Writes the device to the document (`data-device`), for style sheets. */
export const useDeviceMark = (): void => {
  const device = useDevice()
  useEffect(() => {
    document.documentElement.dataset.device = device
  }, [device])
}
