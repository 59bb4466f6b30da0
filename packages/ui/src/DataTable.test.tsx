// @vitest-environment jsdom

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { PAGE_SIZES } from '@tidegate/contract/limits'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { Bulk } from './BulkBar.tsx'
import type { ItemResult } from './bulk.ts'
import { type Column, DataTable, type DataTableProps } from './DataTable.tsx'
import { inBrowser, show } from './testing/show.tsx'

inBrowser()

interface Row {
  id: number
  name: string
  size: number
}
const COLUMNS: Column<Row>[] = [
  { key: 'name', title: 'Name', dataIndex: 'name', sorter: true },
  { key: 'size', title: 'Size of it', dataIndex: 'size' },
  { key: 'actions', title: 'Actions', fixed: 'right', render: () => <button type="button">Edit</button> },
]
const rowsOf = (n: number): Row[] => Array.from({ length: n }, (_, i) => ({ id: i + 1, name: `row ${i + 1}`, size: i }))

const Shown = (props: Partial<DataTableProps<Row>>) => (
  <DataTable<Row>
    id="things"
    label="Things"
    columns={COLUMNS}
    rows={rowsOf(3)}
    total={3}
    loading={false}
    query={{ page: 1, limit: 20 }}
    onQuery={() => {}}
    empty="No things yet"
    {...props}
  />
)
const panel = (name = 'Things') => screen.getByRole('region', { name })
const heads = (name = 'Things') => [...panel(name).querySelectorAll('thead th')].map((th) => th.textContent)
const openSettings = async () => {
  fireEvent.click(within(panel()).getByRole('button', { name: 'Table settings' }))
  return await screen.findByRole('dialog', { name: 'Table settings' })
}

/** The first answer, another one on its way, and that one. */
const Loading = () => {
  const [step, setStep] = useState(0)
  return (
    <>
      <button type="button" onClick={() => setStep(step + 1)}>
        on
      </button>
      <Shown rows={step === 0 ? undefined : rowsOf(3)} loading={step === 0} busy={step === 1} />
    </>
  )
}

describe('a table', () => {
  it('shows bones until the first answer, a wheel over older rows, and then the rows [S4.12]', async () => {
    show(<Loading />)
    expect(within(panel()).getByRole('status', { name: 'Loading' })).toBeTruthy()
    expect(panel().getAttribute('aria-busy')).toBe('true')
    fireEvent.click(screen.getByText('on'))
    await waitFor(() => expect(panel().querySelector('.ant-spin-spinning')).toBeTruthy())
    expect(within(panel()).getByText('row 2')).toBeTruthy()
    fireEvent.click(screen.getByText('on'))
    expect(panel().getAttribute('aria-busy')).toBe('false')
    await waitFor(() => expect(panel().querySelector('.ant-spin-spinning, .tg-bone')).toBeNull())
  })

  it('says what to do first when it is empty, and what failed when it could not be read', () => {
    show(
      <>
        <Shown rows={[]} total={0} />
        <Shown label="Broken" rows={undefined} total={0} failed={<button type="button">Retry</button>} />
      </>,
    )
    expect(within(panel()).getByText('No things yet')).toBeTruthy()
    expect(within(panel('Broken')).getByRole('button', { name: 'Retry' })).toBeTruthy()
    expect(panel('Broken').querySelector('.tg-bone')).toBeNull()
  })

  it('can be moved by the keyboard while nothing in it takes the focus', () => {
    show(
      <>
        <Shown rows={[]} total={0} />
        <Shown label="Full" />
      </>,
    )
    const scrolled = (of: HTMLElement) =>
      of.querySelector('.ant-table-body, .ant-table-content')?.getAttribute('tabindex')
    expect([scrolled(panel()), scrolled(panel('Full'))]).toEqual(['0', null])
  })

  it('asks for another order at page 1', () => {
    const onQuery = vi.fn()
    show(<Shown onQuery={onQuery} query={{ page: 3, limit: 20 }} />)
    fireEvent.click(within(panel()).getAllByText('Name')[0] as HTMLElement)
    expect(onQuery).toHaveBeenCalledWith({ page: 1, sidx: 'name', order: 'asc' })
  })

  it('draws only some of more than 100 rows', () => {
    show(<Shown rows={rowsOf(200)} total={200} />)
    expect(panel().querySelector('.ant-table-tbody-virtual')).toBeTruthy()
    expect(panel().textContent).not.toContain('row 199')
  })
})

describe('the pager', () => {
  it('has 20 rows a page of the sizes allowed, and total, sizes, previous, pages, next, jumper in this order [S9.2]', async () => {
    show(<Shown rows={rowsOf(20)} total={4321} />)
    const pager = within(panel()).getByRole('navigation', { name: 'Pages' })
    const parts = ['.tg-pager-total', '.tg-pager-size', '.tg-pager-pages', '.tg-pager-jump'].map((at) =>
      pager.querySelector(at),
    )
    expect([...pager.children].filter((c) => parts.includes(c))).toEqual(parts)
    expect(parts[0]?.textContent).toBe('Total 4,321')
    expect(parts[1]?.textContent).toContain('20 / page')
    const pages = [...(parts[2]?.children ?? [])]
    expect(pages[0]?.className).toContain('ant-pagination-prev')
    expect(pages.at(-1)?.className).toContain('ant-pagination-next')
    expect(PAGE_SIZES).toEqual([10, 20, 30, 40, 50, 100, 200])
    fireEvent.mouseDown(within(pager).getByRole('combobox', { name: 'Rows per page' }))
    await waitFor(() =>
      expect([...document.querySelectorAll('.ant-select-item-option')].map((o) => o.textContent)).toEqual(
        PAGE_SIZES.map((n) => `${n} / page`),
      ),
    )
  })

  it('goes to a page that is typed, the last one at most', () => {
    const onQuery = vi.fn()
    show(<Shown rows={rowsOf(20)} total={100} onQuery={onQuery} />)
    const jump = screen.getByRole('textbox', { name: 'Page to go to' })
    fireEvent.change(jump, { target: { value: '99' } })
    fireEvent.keyDown(jump, { key: 'Enter' })
    expect(onQuery).toHaveBeenCalledWith({ page: 5 })
  })

  it('remembers the size that was chosen for every table [S3.14]', async () => {
    const seen = show(<Shown rows={rowsOf(20)} total={100} />)
    fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Rows per page' }))
    fireEvent.click(await screen.findByText('50 / page'))
    expect(seen.table.pageSize).toBe(50)
    const settings = await openSettings()
    fireEvent.mouseDown(within(settings).getByRole('combobox', { name: 'Rows per page of all tables' }))
    fireEvent.click(await screen.findByText('100', { selector: '.ant-select-item-option-content' }))
    expect(seen.table.pageSize).toBe(100)
  })
})

describe('table settings', () => {
  it('set size, stripes, border and alignment of every table at once [S2.29]', async () => {
    const seen = show(
      <>
        <Shown />
        <Shown id="others" label="Others" />
      </>,
    )
    const settings = await openSettings()
    const choose = (text: string) => fireEvent.click(within(settings).getByText(text))
    for (const [word, size] of [
      ['Medium', 'medium'],
      ['Mini', 'mini'],
      ['Small', 'small'],
    ] as const) {
      choose(word)
      for (const name of ['Things', 'Others']) expect(panel(name).className).toContain(`tg-table-${size}`)
    }
    fireEvent.click(within(settings).getByRole('switch', { name: 'Striped' }))
    fireEvent.click(within(settings).getByRole('switch', { name: 'Border' }))
    for (const [word, align] of [
      ['Center', 'center'],
      ['Right', 'right'],
      ['Left', 'left'],
    ] as const) {
      choose(word)
      for (const name of ['Things', 'Others'])
        expect((panel(name).querySelector('tbody tr[data-row-key] td') as HTMLElement).style.textAlign).toBe(align)
    }
    for (const name of ['Things', 'Others']) {
      expect(panel(name).className).toContain('tg-striped')
      expect(panel(name).querySelector('.ant-table-bordered')).toBeTruthy()
    }
    expect(seen.table).toMatchObject({ size: 'small', striped: true, border: true, align: 'left' })
  })

  it('hide, move and pin the columns of this table by keyboard, and put them back', async () => {
    const seen = show(
      <>
        <Shown />
        <Shown id="others" label="Others" />
      </>,
    )
    const settings = await openSettings()
    const button = (name: string) => within(settings).getByRole<HTMLButtonElement>('button', { name })
    expect(button('Move Name up').disabled).toBe(true)
    fireEvent.click(button('Move Name down'))
    expect(heads().slice(0, 3)).toEqual(['Size of it', 'Name', 'Actions'])
    fireEvent.click(within(settings).getByRole('checkbox', { name: 'Size of it' }))
    expect(heads().slice(0, 2)).toEqual(['Name', 'Actions'])
    fireEvent.click(within(settings).getByRole('checkbox', { name: 'Name' }))
    expect(heads().slice(0, 2)).toEqual(['Name', 'Actions'])
    fireEvent.click(button('Pin Name to the left'))
    expect(button('Pin Name to the left').getAttribute('aria-pressed')).toBe('true')
    expect(seen.columns.things).toEqual({ order: ['size', 'name'], hidden: ['size'], pins: { name: 'left' } })
    expect(heads('Others').slice(0, 3)).toEqual(['Name', 'Size of it', 'Actions'])
    fireEvent.click(button('Reset'))
    expect(seen.columns).toEqual({})
    expect(heads().slice(0, 3)).toEqual(['Name', 'Size of it', 'Actions'])
  })
})

const Choosing = ({ onRun, results = [] }: { onRun: (n: number) => void; results?: readonly ItemResult[] }) => {
  const [chosen, setChosen] = useState<Row[]>([])
  const [told, setTold] = useState(results)
  const bulk: Bulk<Row> = {
    chosen,
    setChosen,
    busy: false,
    results: told,
    onSeen: () => setTold([]),
    actions: [
      { key: 'on', label: 'Enable', onRun: (rows) => onRun(rows.length) },
      { key: 'delete', label: 'Delete', danger: true, onRun: (rows) => onRun(-rows.length) },
    ],
  }
  return <Shown bulk={bulk} />
}

describe('the bulk bar', () => {
  it.each([
    ['en', 'Delete chosen', 'Select what to delete'],
    ['zh', '批量Delete', '请选择要删除的内容'],
  ] as const)('says what it lacks when nothing is chosen (%s)', async (lang, name, text) => {
    const onRun = vi.fn()
    show(<Choosing onRun={onRun} />, { lang })
    fireEvent.click(await screen.findByRole('button', { name }))
    expect(await screen.findByText(text)).toBeTruthy()
    expect(onRun).not.toHaveBeenCalled()
  })

  it('runs an action on the rows chosen', () => {
    const onRun = vi.fn()
    show(<Choosing onRun={onRun} />)
    const boxes = panel().querySelectorAll<HTMLInputElement>('tbody tr[data-row-key] input[type=checkbox]')
    act(() => {
      boxes[0]?.click()
    })
    act(() => {
      boxes[2]?.click()
    })
    expect(screen.getByText('2 chosen')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Enable' }))
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(onRun.mock.calls).toEqual([[2], [-2]])
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
    expect(screen.queryByText('2 chosen')).toBeNull()
  })

  it('tells of each row which succeeded, which failed and why', () => {
    const results = [
      { key: 1, name: 'row 1', error: '' },
      { key: 2, name: 'row 2', error: 'is in use' },
    ]
    show(<Choosing onRun={() => {}} results={results} />)
    const told = screen.getByRole('region', { name: 'Results' })
    expect(told.textContent).toContain('1 succeeded, 1 failed')
    expect([...told.querySelectorAll('li')].map((li) => li.textContent?.trim())).toEqual([
      'row 2 is in use',
      'row 1 done',
    ])
    fireEvent.click(within(told).getByRole('button', { name: 'Close the results' }))
    expect(screen.queryByRole('region', { name: 'Results' })).toBeNull()
  })
})
