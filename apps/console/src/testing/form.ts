/** Fields of antd's forms by their name. */
import { fireEvent } from '@testing-library/react'

const at = (name: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>(`[id="${name}"], [id$="_${name}"]`)].findLast((e) =>
    e.matches('input, textarea'),
  )
  if (found === undefined) throw new Error(`no field ${name}`)
  return found
}

/** Types into the field. */
export const typeAt = (name: string, value: string): void => {
  fireEvent.change(at(name), { target: { value } })
}

/** What is said to be wrong with the field; '' for nothing. */
export const faultAt = (name: string): string =>
  [...(at(name).closest('.ant-form-item')?.querySelectorAll('.ant-form-item-explain-error') ?? [])]
    .map((e) => e.textContent)
    .join(' · ')
