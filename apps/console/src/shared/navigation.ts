/** What is to be done when the person goes to another page, before that page's own reads begin. */
export const onNavigation = new Set<() => void>()
