import type { Page } from 'playwright-core'

/** The errors below a field of a form. */
export const errorsOf = async (page: Page, label: string): Promise<string[]> => {
  const field = page.locator('.field', { has: page.locator('label', { hasText: new RegExp(`^\\*?${label}$`) }) })
  await field.locator('.field-errors, .origin-error').first().waitFor()
  return await field.locator('.field-errors li, .origin-error').allInnerTexts()
}
