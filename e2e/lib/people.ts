/** The people of one test, each with a browser of their own: ended after it, and none of their pages may have done what it must not. */
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { newPerson, type Person, type PersonOptions, settled } from './browser.ts'

export interface People {
  join(options?: PersonOptions): Promise<Person>
  /** Someone at a page that has come to rest. */
  at(url: string, options?: PersonOptions): Promise<Page>
  /** Meant for `afterEach`. */
  leave(): Promise<void>
}

/** `browser` is asked at each call: the file's one, launched before its tests. */
export const createPeople = (browser: () => Browser): People => {
  const present: Person[] = []
  const join = async (options: PersonOptions = {}) => {
    const person = await newPerson(browser(), options)
    present.push(person)
    return person
  }
  return {
    join,
    at: async (url, options) => {
      const { page } = await join(options)
      await page.goto(url)
      await settled(page)
      return page
    },
    leave: async () => {
      const found: string[] = []
      for (const { context, faults } of present.splice(0)) {
        await context.close()
        found.push(...faults)
      }
      expect(found).toEqual([])
    },
  }
}
