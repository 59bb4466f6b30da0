/** Takes the whole page out of the document but for one element, and brings it back as it was. */

interface Place {
  element: Element
  top: number
  left: number
}

/** An element loses where it was scrolled to when it leaves the document. */
const placesIn = (root: Element): Place[] =>
  [...root.querySelectorAll('*')]
    .filter((element) => element.scrollTop !== 0 || element.scrollLeft !== 0)
    .map((element) => ({ element, top: element.scrollTop, left: element.scrollLeft }))

const isPage = (node: Node, host: Element): node is Element =>
  node instanceof Element && node !== host && !['SCRIPT', 'STYLE', 'LINK'].includes(node.tagName)

/**
 * Leaves `host` as the body's only child; what is added to the body afterwards (dialogs, notices) goes where the rest went. The nodes live on in
 * memory, so that forms keep what was typed. Answers how to bring everything back.
 */
export const leaveAlone = (host: HTMLElement): (() => void) => {
  const { body } = document
  const away = document.createDocumentFragment()
  const places = placesIn(body)
  const windowTop = window.scrollY
  const focused = document.activeElement
  const take = (nodes: Iterable<Node>) => {
    for (const node of [...nodes]) if (isPage(node, host)) away.append(node)
  }
  take(body.childNodes)
  body.append(host)
  const observer = new MutationObserver((records) => {
    for (const record of records) take(record.addedNodes)
  })
  observer.observe(body, { childList: true })
  return () => {
    observer.disconnect()
    host.remove()
    body.append(away)
    for (const { element, top, left } of places) element.scrollTo(left, top)
    window.scrollTo(0, windowTop)
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
