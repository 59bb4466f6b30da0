import type { Page } from 'playwright-core'

/** Does something, and waits until the console says this of it: the same may still stand there of something before. */
export const said = async (page: Page, text: string, act: () => Promise<void>): Promise<void> => {
  const before = await page.getByText(text).elementHandles()
  await act()
  await page.waitForFunction(
    ({ text, before }) =>
      [...document.querySelectorAll('.ant-message-notice-title')].some(
        (title) => title.textContent === text && !before.includes(title),
      ),
    { text, before },
  )
}
