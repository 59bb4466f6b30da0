// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen } from '@testing-library/react'
import { UiContext, useUi } from '@tidegate/ui/context'
import { beforeEach, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { inBrowser } from '../../testing/browser.ts'
import { press, showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { ByNumber, idsOf } from './ByNumber.tsx'
import './texts.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => chooseLang('en'))

const English = () => (
  <UiContext value={{ ...useUi(), lang: 'en' }}>
    <ByNumber onClose={() => undefined} />
  </UiContext>
)

it.each([
  ['12, 15 15\n20', [12, 15, 20]],
  ['１２', null],
  ['12 x', null],
  ['0', null],
  [' ', []],
])('reads %j as %j', (text, ids) => {
  expect(idsOf(text)).toEqual(ids)
})

it('sends type and numbers, and says of each what became of it', async () => {
  const { seen } = peer({
    'push.byInput': () => ({
      data: [
        { id: 12, name: 'edge-1', ok: true, error: '', push: [{ scope: 'group:1', revision: 44 }] },
        { id: 13, name: '', ok: false, error: 'What you asked for does not exist', push: [] },
      ],
      push: [{ scope: 'group:1', revision: 44 }],
    }),
  })
  showPage(English)
  const field = () => document.querySelector('textarea') as HTMLTextAreaElement
  await screen.findByText('Numbers')
  await press('Push')
  await screen.findByText('is required')
  fireEvent.change(field(), { target: { value: 'twelve' } })
  await press('Push')
  await screen.findByText('is not in the right form')
  expect(seen).toEqual([])
  fireEvent.click(screen.getByText('Nodes'))
  fireEvent.change(field(), { target: { value: '12, 13' } })
  await press('Push')
  await screen.findByText('On its way, r44')
  expect(screen.getByText('What you asked for does not exist')).toBeTruthy()
  expect(seen.map(({ input }) => input)).toEqual([{ type: 'node', ids: [12, 13] }])
})
