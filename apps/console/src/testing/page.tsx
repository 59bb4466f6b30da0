/** Shows one page by itself, with what every page stands in. */
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, waitFor } from '@testing-library/react'
import { App } from 'antd'
import type { ComponentType, ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { queryClient } from '../shared/query.ts'

type Frame = ComponentType<{ children: ReactNode }>

/** `Frame`: antd's own, or the console's with its theme and language. */
export const showPage = (Page: ComponentType, path = '/', Frame: Frame = App): void => {
  render(
    <QueryClientProvider client={queryClient}>
      <Frame>
        <MemoryRouter initialEntries={[path]}>
          <Page />
        </MemoryRouter>
      </Frame>
    </QueryClientProvider>,
  )
}

/** antd puts a space between two Chinese characters of a button. */
const wordsOf = (button: Element) => (button.textContent ?? '').replace(/(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])/g, '')

/** Buttons by their words; queries by role take seconds on a page with a table. */
export const buttons = (from: ParentNode = document): HTMLButtonElement[] => [...from.querySelectorAll('button')]
export const words = (from: ParentNode): string[] => buttons(from).map(wordsOf)

/** Waits for the last button of these words, and presses it. */
export const press = async (text: string, from: () => ParentNode | null = () => document): Promise<void> => {
  const button = await waitFor(() => {
    const found = buttons(from() ?? document.createElement('div')).findLast((b) => wordsOf(b) === text)
    if (found === undefined) throw new Error(`no button ${text}`)
    return found
  })
  fireEvent.click(button)
}

/** The row of the table that has a cell with this text; waits for it. */
export const tableRow = (text: string): Promise<HTMLTableRowElement> =>
  waitFor(() => {
    const rows = [...document.querySelectorAll<HTMLTableRowElement>('tbody tr')]
    const found = rows.find((r) => [...r.cells].some((c) => c.textContent?.trim().startsWith(text)))
    if (found === undefined) throw new Error(`no row ${text}`)
    return found
  })
