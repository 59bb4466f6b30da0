/** Shows one page by itself, with what every page stands in. */
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { App } from 'antd'
import type { ComponentType } from 'react'
import { MemoryRouter } from 'react-router'
import { queryClient } from '../shared/query.ts'

export const showPage = (Page: ComponentType, path = '/'): void => {
  render(
    <QueryClientProvider client={queryClient}>
      <App>
        <MemoryRouter initialEntries={[path]}>
          <Page />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
}
