/** The window's icon: the operator's own, else the product's. */

let own: { href: string; type: string } | undefined

/** `address` is '' while none is set. */
export const showFavicon = (address: string): void => {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link === null) return
  own ??= { href: link.href, type: link.type }
  // The browser tells an image's type by itself; a wrong one would keep it from looking.
  if (address === '') link.type = own.type
  else link.removeAttribute('type')
  link.href = address || own.href
}
