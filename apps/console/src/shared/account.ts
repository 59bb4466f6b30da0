/** Whose login this page has, for what is kept per account on this device. */

let id = 0

/** 0: nobody's. */
export const accountId = (): number => id
export const setAccountId = (value: number): void => {
  id = value
}
