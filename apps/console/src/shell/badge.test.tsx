// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useSite } from '../shared/site-config.ts'
import { inBrowser } from '../testing/browser.ts'
import { INDEX } from '../testing/fixtures.ts'
import { showPage } from '../testing/page.tsx'
import { peer } from '../testing/peer.ts'
import { polled } from '../testing/polled.ts'
import { useBadge } from './badge.ts'
import { useSession } from './session.ts'

inBrowser()

const Badges = () => {
  const [tasks, orders] = [useBadge('task_count'), useBadge('wkCount')]
  return <p>{`pushes ${tasks?.count ?? 'none'}, orders ${orders?.count ?? 'none'}`}</p>
}

it('a customer, who may see the own pushes, never asks for the count of everybody’s, which is refused', async () => {
  useSession.setState({ permissions: new Set(['cdn:push:list', 'cdn:work-order:list']) })
  const { seen } = peer({
    'push.status': () => ({ task_size: 4, refused_size: 0 }),
    'workOrder.newMsg': () => ({ newSum: 2, lastId: 9 }),
  })
  showPage(Badges)
  await screen.findByText('pushes none, orders 2')
  expect(seen.map((one) => one.id)).toEqual(['workOrder.newMsg'])
})

it('asks as often as the installation says', async () => {
  useSession.setState({ permissions: new Set(['cdn:work-order:list']) })
  useSite.setState({ index: { ...INDEX, pollSeconds: 12 } })
  const { seen } = peer({ 'workOrder.newMsg': () => ({ newSum: 2, lastId: 9 }) })
  await polled(
    () => showPage(Badges),
    () => seen.length,
    12_000,
  )
})
