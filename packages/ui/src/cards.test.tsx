// @vitest-environment jsdom
/** Tables as a phone shows them, and times that are still to come. */
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { ActionMenu } from './ActionMenu.tsx'
import { chartOption } from './chart-option.ts'
import { type Column, DataTable } from './DataTable.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { inBrowser, show } from './testing/show.tsx'

inBrowser()

interface Row {
  id: number
  name: string
}
const COLUMNS: Column<Row>[] = [
  { key: 'id', title: 'Number', dataIndex: 'id', sorter: true },
  { key: 'name', title: 'Name', dataIndex: 'name', heads: true },
  { key: 'actions', title: 'Actions', fixed: 'right', render: () => <button type="button">Edit</button> },
]
const table = () =>
  show(
    <DataTable<Row>
      label="Things"
      columns={COLUMNS}
      rows={[{ id: 1, name: 'one' }]}
      total={1}
      loading={false}
      query={{ page: 1, limit: 20 }}
      onQuery={() => {}}
      empty="No things yet"
    />,
  )
/** A window this wide. */
const wide = (width: number) => {
  const plain = window.matchMedia('')
  vi.stubGlobal('matchMedia', (media: string) => {
    const most = /max-width: ([\d.]+)px/.exec(media)?.[1]
    return { ...plain, media, matches: most !== undefined && width <= Number(most) }
  })
}
const cells = () => [...document.querySelectorAll<HTMLElement>('tbody tr[data-row-key] td')]

describe('a table on a phone', () => {
  it('makes a card of each row: every value under the name of its column, nothing beside the window', () => {
    wide(390)
    table()
    expect(screen.getByRole('region', { name: 'Things' }).className).toContain('tg-cards')
    expect(cells().map((td) => [td.dataset.label, td.className.match(/tg-card-\w+/)?.[0]])).toEqual([
      ['Number', undefined],
      ['Name', 'tg-card-head'],
      ['Actions', 'tg-card-foot'],
    ])
    // Nothing stays in place over the others, and what sorts can still be pressed.
    expect(document.querySelector('.ant-table-cell-fix-end, .ant-table-sticky-holder')).toBeNull()
    expect(document.querySelectorAll('.ant-table-column-has-sorters')).toHaveLength(1)
  })

  it('is a table from 769 px on', () => {
    wide(769)
    table()
    expect(document.querySelector('.tg-cards')).toBeNull()
    expect(cells().map((td) => td.dataset.label)).toEqual([undefined, undefined, undefined])
  })
})

describe('a time', () => {
  const told = (ms: number) => {
    show(<RelativeTime iso={new Date(Date.now() + ms).toISOString()} />)
    return document.querySelector('time')?.textContent
  }
  it('that is to come is told as that', () => {
    expect(told(40 * 86_400_000 + 1000)).toBe('in 40 days')
  })
  it('that a clock a little ahead gave has just been', () => {
    expect(told(20_000)).toBe('now')
  })
})

describe('an axis', () => {
  const spec = {
    ...{ kind: 'bars' as const, times: [0], series: [], unit: '' },
    ...{ text: String, axisText: String, timeText: String, axisTimeText: String },
  }
  it('of counts has no ticks between whole numbers', () => {
    const least = (whole?: boolean) =>
      (chartOption({ ...spec, whole }, 'light').yAxis as { minInterval?: number }).minInterval
    expect([least(true), least(false), least()]).toEqual([1, undefined, undefined])
  })
})

describe('a menu behind a button', () => {
  it('gives the focus back when it is closed', async () => {
    show(
      <ActionMenu menu={{ items: [{ key: 'one', label: 'One' }] }}>
        <button type="button">More</button>
      </ActionMenu>,
    )
    const button = screen.getByRole('button', { name: 'More' })
    button.focus()
    fireEvent.click(button)
    const item = await screen.findByText('One')
    // The item had it, and goes.
    button.blur()
    fireEvent.click(item)
    await waitFor(() => expect(document.activeElement).toBe(button))
  })
})
