/** In-app paths. */

/** A redirect target that stays inside the app: an absolute path of ours, no scheme, no host, no login page. Else null. */
export const inAppPath = (target: string | null): string | null => {
  if (target === null || !/^\/(?![/\\])[^\\\s]*$/.test(target)) return null
  return /^\/(login|redirect)(\/|\?|$)/.test(target) ? null : target
}

/** The login, which brings back to where the person wanted to be. */
export const loginPath = (fullPath: string): string => `/login?redirect=${encodeURIComponent(fullPath)}`
