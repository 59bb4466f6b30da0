/** Numbers and addresses of people as they are shown to themselves: enough to tell one's own, not enough to use. */

/** `138****8000`; empty stays empty. */
export const maskedMobile = (mobile: string): string =>
  mobile === '' ? '' : `${mobile.slice(0, 3)}****${mobile.length > 7 ? mobile.slice(-4) : ''}`

/** `a***@example.com`; empty stays empty. */
export const maskedEmail = (email: string): string => email.replace(/^(.).*(?=@)/, '$1***')
