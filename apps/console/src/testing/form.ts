/** Fields of antd's forms by their name. */
import { act, fireEvent, waitFor } from '@testing-library/react'
import { type Rule, SAMPLES } from '@tidegate/contract/testing/samples'
import { expect } from 'vitest'
import { chooseLang } from '../shared/i18n.ts'

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

/** Expects each field of the form that is open to say of the samples what the server would say of them, in both languages. */
export const judged = async (fields: readonly (readonly [rule: Rule, name: string])[]): Promise<void> => {
  for (const [rule, name] of fields) {
    // A field of one line cannot hold line ends.
    const wrong = SAMPLES[rule].wrong.filter((text) => !text.includes('\n'))
    const says = async (value: string, fault: string) => {
      typeAt(name, value)
      await waitFor(() => expect([name, value, faultAt(name)]).toEqual([name, value, fault]))
    }
    act(() => chooseLang('en'))
    for (const value of wrong) await says(value, SAMPLES[rule].en)
    for (const value of SAMPLES[rule].right) await says(value, '')
    act(() => chooseLang('zh'))
    await says(wrong[0] ?? '', SAMPLES[rule].zh)
  }
}
