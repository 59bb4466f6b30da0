/** How far below the window's top a table's header has to stay: under the page's own bar, which is measured while the table is seen. */
import { type RefObject, useEffect, useState } from 'react'

/** The bar that stays at the window's top, if there is one. */
const BAR = '[data-sticky-top]'

/** Pixels; undefined while the table is not on the screen (a kept page that is hidden has no measures) or the browser cannot tell. */
export const useStickyTop = (ref: RefObject<HTMLElement | null>): number | undefined => {
  const [top, setTop] = useState<number>()
  useEffect(() => {
    const element = ref.current
    if (element === null || typeof IntersectionObserver === 'undefined') return
    const measure = () => setTop(document.querySelector<HTMLElement>(BAR)?.offsetHeight ?? 0)
    const seen = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) measure()
    })
    seen.observe(element)
    window.addEventListener('resize', measure)
    return () => {
      seen.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [ref])
  return top
}
