// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import { CHART_LOADING_DELAY_MS } from '@tidegate/contract/limits'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Chart } from './Chart.tsx'
import type { ChartSpec } from './chart-option.ts'
import { inBrowser, show } from './testing/show.tsx'

inBrowser()
afterEach(() => {
  vi.useRealTimers()
})
// jsdom has nothing to draw on.
vi.mock('./echarts.ts', () => ({ init: () => ({ setOption: () => {}, resize: () => {}, dispose: () => {} }) }))

const SPEC: ChartSpec = {
  kind: 'line',
  times: [0, 60_000],
  series: [{ key: 'edge', name: 'Edge', color: '#2f5bea', values: [1, 2] }],
  unit: 'bps',
  text: String,
  axisText: String,
  timeText: String,
  axisTimeText: String,
}

/** First nothing, then figures, then others on their way. */
const Waiting = ({ first }: { first: ChartSpec | undefined }) => {
  const [step, setStep] = useState(0)
  const spec = step === 0 ? first : SPEC
  return (
    <>
      <button type="button" onClick={() => setStep(step + 1)}>
        on
      </button>
      <Chart spec={spec} height={100} label="Bandwidth" loading={step % 2 === 0} />
    </>
  )
}
const wheel = () => document.querySelector('.ant-spin-spinning')
const chart = () => document.querySelector('.tg-chart')
const after = (ms: number) => act(() => vi.advanceTimersByTime(ms))

describe('a chart', () => {
  it.each([
    ['the first figures', undefined],
    ['other figures', SPEC],
  ])('shows that it waits for %s after 500 ms, and not before [S9.1]', async (_what, first) => {
    expect(CHART_LOADING_DELAY_MS).toBe(500)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    show(<Waiting first={first} />)
    expect(chart()?.getAttribute('aria-busy')).toBe('true')
    expect(wheel()).toBeNull()
    await after(499)
    expect(wheel()).toBeNull()
    await after(1)
    expect(wheel()).not.toBeNull()
    // What was there before stays in sight.
    expect(screen.queryAllByRole('img', { name: 'Bandwidth' })).toHaveLength(first === undefined ? 0 : 1)
    act(() => screen.getByText('on').click())
    await after(0)
    expect(wheel()).toBeNull()
    expect(chart()?.getAttribute('aria-busy')).toBe('false')
    expect(screen.getByRole('img', { name: 'Bandwidth' })).toBeTruthy()
  })

  it('never flickers for an answer that comes sooner [S9.1]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    show(<Waiting first={undefined} />)
    await after(300)
    act(() => screen.getByText('on').click())
    await after(1_000)
    expect(wheel()).toBeNull()
  })
})
