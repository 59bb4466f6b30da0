// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import type { VariableRow } from '@tidegate/contract/operations/tools'
import { VARIABLES, type VariableKey, type VariableKind } from '@tidegate/contract/runtime-variables'
import { UiContext, useUi } from '@tidegate/ui/context'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { USER } from '../../testing/fixtures.ts'
import { buttons, press, showPage, tableRow } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page } from './VariablePage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
beforeEach(async () => {
  useSession.setState({ user: USER.user })
  await chooseLang('en')
})

const row = (key: VariableKey, more: Partial<VariableRow> = {}): VariableRow => {
  const kind: VariableKind = VARIABLES[key]
  const number = kind.type === 'number' ? kind : null
  return {
    ...{ key, scope: kind.scope, title: kind.title, about: kind.about, type: kind.type, unit: number?.unit ?? '' },
    ...{ min: number?.min ?? null, max: number?.max ?? null },
    choices: kind.type === 'choice' ? [...kind.choices] : [],
    ...{ value: kind.default, default: kind.default, set: false },
    ...{ changedTime: '', changedBy: '', applied: null, push: [] },
    ...more,
  }
}
const ROWS = [
  row('control.publicUrl'),
  row('control.customersReadOnly', {
    value: true,
    set: true,
    changedTime: new Date().toISOString(),
    changedBy: 'root',
  }),
  row('control.logLevel'),
  row('node.maxBodyMb', { value: 64, set: true, applied: { nodes: 3, done: 2 } }),
]
const English = () => (
  <UiContext value={{ ...useUi(), lang: 'en' }}>
    <Page />
  </UiContext>
)
const list = (mayChange = true) => ({ 'variable.list': () => ({ data: { list: ROWS, mayChange } }) })
const dialog = () => document.querySelector('.ant-modal')

describe('the screen of runtime variables', () => {
  it('shows value, default, scope, state on the nodes, and when and by whom it was changed', async () => {
    peer(list())
    showPage(English)
    expect((await tableRow('Own public address')).textContent).toMatch(
      /Not set.*Not set.*Control plane.*In force.*Never changed/,
    )
    expect((await tableRow('Customers may only look')).textContent).toMatch(/OnOffControl plane.*by root/)
    expect((await tableRow("Size of a request's body")).textContent).toMatch(/64 MiB1,024 MiBNodes2\/3 nodes run it/)
    const offered = (text: string) => buttons().filter((b) => b.textContent === text).length
    expect([offered('Change'), offered('Reset')]).toEqual([4, 2])
  })

  it('checks a value by the server’s rules before it is sent, shows what the server refuses, and saves', async () => {
    let refused = true
    const { seen } = peer({
      ...list(),
      'variable.update': () =>
        refused
          ? new Refusal(400, {
              error: 'invalid_input',
              msg: 'Some fields are not right',
              errors: [{ path: 'value', msg: 'not today' }],
            })
          : { data: row('node.maxBodyMb', { value: 32, set: true }) },
    })
    showPage(English)
    await press('Change', () => document.querySelectorAll('tbody tr.ant-table-row')[3] ?? null)
    await screen.findByText(/From 1 to 10,240 · Default: 1,024 MiB/)
    const field = dialog()?.querySelector('input') as HTMLInputElement
    fireEvent.change(field, { target: { value: '0' } })
    await press('Save', dialog)
    await screen.findByText('must not be less than 1')
    fireEvent.change(field, { target: { value: '32' } })
    await press('Save', dialog)
    await screen.findByText('not today')
    refused = false
    await press('Save', dialog)
    await screen.findByText('Saved; it is on its way to the nodes')
    await waitFor(() => expect(dialog()).toBeNull())
    const sent = seen.filter(({ id }) => id === 'variable.update').map(({ input }) => input)
    expect(sent).toEqual([
      { key: 'node.maxBodyMb', value: 32 },
      { key: 'node.maxBodyMb', value: 32 },
    ])
  })

  it('goes back to the default after a question, and shows what was changed before', async () => {
    const { seen } = peer({
      ...list(),
      'variable.update': () => ({ data: row('control.customersReadOnly') }),
      'variable.history': () => ({
        data: {
          list: [
            {
              ...{
                id: 1,
                key: 'node.maxBodyMb' as const,
                title: VARIABLES['node.maxBodyMb'].title,
                unit: 'MiB' as const,
              },
              ...{ before: 64, after: 1024, reset: true, by: 'root', time: new Date().toISOString() },
            },
          ],
          ...{ totalCount: 1, pageSize: 20, currPage: 1, totalPage: 1 },
        },
      }),
    })
    showPage(English)
    await press('Reset', () => document.querySelectorAll('tbody tr.ant-table-row')[1] ?? null)
    await screen.findByText('Customers may only look: On → Off')
    await press('Reset', dialog)
    await screen.findByText('Saved; it holds from now on')
    expect(seen.find(({ id }) => id === 'variable.update')?.input).toEqual({
      key: 'control.customersReadOnly',
      reset: true,
    })
    await press('History')
    await screen.findByText('back to the default')
  })

  it('offers nothing to who may only look', async () => {
    peer(list(false))
    showPage(English)
    await screen.findByText('Only the super administrator changes these.')
    await tableRow('Log level')
    expect(buttons().filter((b) => ['Change', 'Reset'].includes(b.textContent ?? ''))).toEqual([])
  })
})
