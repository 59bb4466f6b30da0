/** How far below the window's top a table's header has to stay: under the page's own bars. */
import { useEffect, useState } from 'react'

/** The bars that stay at the window's top, one below the other. */
const BARS = '[data-sticky-top]'

/** They stand outside of the page: unlike the table they have a height also while the page is hidden. */
const measured = (): number | undefined =>
  typeof IntersectionObserver === 'undefined'
    ? undefined
    : [...document.querySelectorAll<HTMLElement>(BARS)].reduce((sum, bar) => sum + bar.offsetHeight, 0)

/** Pixels, known before the table is drawn first, for a table with such a header is built otherwise; undefined where nothing has a height. */
export const useStickyTop = (): number | undefined => {
  const [top, setTop] = useState(measured)
  useEffect(() => {
    let frame = 0
    const measure = () => setTop(measured)
    // A bar may come or go with the width: what is measured is the frame after.
    const later = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(measure)
    }
    measure()
    window.addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('resize', later)
    }
  }, [])
  return top
}
