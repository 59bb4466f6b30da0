/** Rich text as it is shown: cleaned once more, whatever the server let through. Loaded lazily, for what it brings along. */
import DOMPurify from 'dompurify'
import { useMemo } from 'react'
import './rich.css'

const RULES = {
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'svg', 'math', 'iframe', 'video', 'audio'],
  FORBID_ATTR: ['style', 'srcset'],
  ALLOW_DATA_ATTR: false,
  ADD_ATTR: ['target'],
}

/** Images of this installation only, links in a page of their own. */
const tamed = (html: string): string => {
  const body = new DOMParser().parseFromString(DOMPurify.sanitize(html, RULES), 'text/html').body
  for (const img of body.querySelectorAll('img'))
    if (!/^\/uploads\/[\w./-]+$/.test(img.getAttribute('src') ?? '')) img.remove()
  for (const a of body.querySelectorAll('a')) {
    a.target = '_blank'
    a.rel = 'noopener noreferrer'
  }
  return body.innerHTML
}

export const RichText = ({ html }: { html: string }) => {
  const clean = useMemo(() => tamed(html), [html])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: this is the one place that cleans it
  return <div className="tg-rich" dangerouslySetInnerHTML={{ __html: clean }} />
}
