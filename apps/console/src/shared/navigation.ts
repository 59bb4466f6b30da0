/** What is to be done when the person goes to another page, before that page's own reads begin. */
export const onNavigation = new Set<() => void>()

/** The browser's page, so that tests can stand in for what a reload would end. */
export const browserPage = { reload: () => window.location.reload() }
