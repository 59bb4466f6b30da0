/** Rich text of the staff: what a message may hold. The console cleans once more before it shows it. */
import sanitize from 'sanitize-html'

const RULES: sanitize.IOptions = {
  allowedTags: [
    ...['p', 'br', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre', 'code', 'hr'],
    ...['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'span', 'a', 'img'],
    ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    li: ['data-list'],
  },
  // The editor's own marks of alignment, indent and size.
  allowedClasses: { '*': ['ql-align-*', 'ql-indent-*', 'ql-size-*'] },
  allowedSchemes: ['http', 'https', 'ftp', 'mailto', 'tel'],
  // Images are those that were uploaded here: another server would learn who reads.
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  transformTags: { a: sanitize.simpleTransform('a', { target: '_blank', rel: 'noopener noreferrer' }) },
  exclusiveFilter: (frame) => frame.tag === 'img' && !/^\/uploads\/[\w./-]+$/.test(frame.attribs.src ?? ''),
}

/** The HTML without anything that runs, loads from elsewhere or leaves its place. */
export const cleanHtml = (html: string): string => sanitize(html, RULES).trim()

/** Whether a reader sees anything. */
export const isBlank = (html: string): boolean =>
  !/<img\b/.test(html) && sanitize(html, { allowedTags: [], allowedAttributes: {} }).trim() === ''
