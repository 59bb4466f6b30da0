// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CodeEditor } from './CodeEditor.tsx'
import { CopyButton } from './CopyButton.tsx'
import { DateRange } from './DateRange.tsx'
import type { DayRange } from './dates.ts'
import { NumberInput } from './NumberInput.tsx'
import { QuickRanges } from './QuickRanges.tsx'
import { RefreshInterval, useRefresh } from './RefreshInterval.tsx'
import { inBrowser, show } from './testing/show.tsx'

inBrowser()
afterEach(() => {
  vi.useRealTimers()
})

const Count = ({ min, onValue }: { min?: number; onValue: (n: number) => void }) => {
  const [value, setValue] = useState(7)
  return (
    <NumberInput
      aria-label="Count"
      {...(min === undefined ? {} : { min })}
      value={value}
      onChange={(n) => {
        setValue(n)
        onValue(n)
      }}
    />
  )
}

const Days = ({ onDays }: { onDays: (days: DayRange | null) => void }) => {
  const [days, setDays] = useState<DayRange | null>(null)
  return (
    <DateRange
      label="Days"
      value={days}
      onChange={(next) => {
        setDays(next)
        onDays(next)
      }}
    />
  )
}

const Every = () => {
  const refresh = useRefresh(5000)
  return (
    <>
      <RefreshInterval refresh={refresh} />
      <output>{String(refresh.interval)}</output>
    </>
  )
}

const Code = ({ onText }: { onText: (text: string) => void }) => {
  const [text, setText] = useState('-----BEGIN X-----')
  return (
    <>
      <CodeEditor
        label="Key"
        mode="pem"
        value={text}
        aria-invalid
        aria-describedby="why"
        onChange={(next) => {
          setText(next)
          onText(next)
        }}
      />
      <button type="button" onClick={() => setText('from outside')}>
        set
      </button>
    </>
  )
}

describe('a number field', () => {
  it.each([
    [undefined, 1],
    [0, 0],
    [60, 60],
  ])('with the minimum %s goes back to %s when it is cleared [S5.12]', (min, wanted) => {
    const onValue = vi.fn()
    show(<Count {...(min === undefined ? {} : { min })} onValue={onValue} />)
    const field = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Count' })
    fireEvent.focus(field)
    fireEvent.change(field, { target: { value: '' } })
    expect(onValue).toHaveBeenLastCalledWith(wanted)
    fireEvent.blur(field)
    expect(field.value).toBe(String(wanted))
  })
  it('takes no less than its minimum, 1 by default, and no fraction', () => {
    const onValue = vi.fn()
    show(<Count onValue={onValue} />)
    const field = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Count' })
    fireEvent.change(field, { target: { value: '-3' } })
    fireEvent.blur(field)
    expect(field.value).toBe('1')
    fireEvent.change(field, { target: { value: '12' } })
    expect(onValue).toHaveBeenLastCalledWith(12)
  })
})

describe('copying', () => {
  const clipboard = (writeText: ((text: string) => Promise<void>) | undefined) => {
    vi.stubGlobal('isSecureContext', writeText !== undefined)
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: writeText && { writeText } })
  }
  it.each([
    ['en', 'Copy', 'Copy failed: the content is empty'],
    ['zh', '复制', '复制失败，内容为空'],
  ] as const)('nothing fails with a message (%s) [S5.20]', async (lang, name, text) => {
    const write = vi.fn(async () => {})
    clipboard(write)
    show(<CopyButton text="" />, { lang })
    fireEvent.click(await screen.findByRole('button', { name }))
    expect(await screen.findByText(text)).toBeTruthy()
    expect(write).not.toHaveBeenCalled()
  })
  it.each([
    ['en', 'Copy', 'Copied successfully'],
    ['zh', '复制', '复制成功'],
  ] as const)('says that it is done (%s)', async (lang, name, text) => {
    const write = vi.fn(async () => {})
    clipboard(write)
    show(<CopyButton text="a.example" />, { lang })
    fireEvent.click(await screen.findByRole('button', { name }))
    expect(await screen.findByText(text)).toBeTruthy()
    expect(write).toHaveBeenCalledWith('a.example')
  })
  it.each([
    ['en', 'Copy', 'Copy failed: this browser does not support it'],
    ['zh', '复制', '复制失败，当前浏览器不支持'],
  ] as const)('says that the browser cannot (%s)', async (lang, name, text) => {
    clipboard(undefined)
    show(<CopyButton text="a.example" />, { lang })
    fireEvent.click(await screen.findByRole('button', { name }))
    expect(await screen.findByText(text)).toBeTruthy()
  })
})

describe('a date range', () => {
  const open = async () => {
    const group = await screen.findByRole('group', { name: 'Days' })
    const [first] = group.querySelectorAll('input')
    fireEvent.mouseDown(first as Element)
    fireEvent.click(first as Element)
    return await waitFor(() => {
      const presets = [...document.querySelectorAll<HTMLElement>('.ant-picker-presets li')]
      expect(presets).toHaveLength(8)
      return presets
    })
  }
  const PRESETS = {
    en: 'Today|Yesterday|This week|This month|Current quarter|Last 30 days|Previous day|Next day',
    zh: '今天|昨天|本周|本月|本季度|近 30 天|前一天|后一天',
  }
  it.each(['en', 'zh'] as const)(
    'offers the eight presets, in days of the installation’s zone (%s) [S9.11]',
    async (lang) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T16:30:00Z') })
      const onDays = vi.fn()
      show(<Days onDays={onDays} />, { lang })
      const presets = await open()
      expect(presets.map((li) => li.textContent).join('|')).toBe(PRESETS[lang])
      // In Shanghai it is the 21st already; in UTC it would be the 20th.
      fireEvent.click(presets[0] as Element)
      expect(onDays).toHaveBeenLastCalledWith({ from: '2026-11-21', to: '2026-11-21' })
    },
  )
  // 2026-11-20 11:30 in New York, a Friday; dates.test.ts has the days of Shanghai.
  it.each([
    ['America/New_York', 0, '2026-11-20', '2026-11-20'],
    ['America/New_York', 1, '2026-11-19', '2026-11-19'],
    ['America/New_York', 2, '2026-11-16', '2026-11-20'],
    ['America/New_York', 3, '2026-11-01', '2026-11-20'],
    ['America/New_York', 4, '2026-10-01', '2026-11-20'],
    ['America/New_York', 5, '2026-10-22', '2026-11-20'],
    ['America/New_York', 6, '2026-11-19', '2026-11-19'],
    ['America/New_York', 7, '2026-11-21', '2026-11-21'],
  ])('chooses by preset, in %s by number %i, exactly %s to %s', async (timeZone, number, from, to) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T16:30:00Z') })
    const onDays = vi.fn()
    show(<Days onDays={onDays} />, { timeZone })
    fireEvent.click((await open())[number] as Element)
    expect(onDays.mock.lastCall).toEqual([{ from, to }])
  })
  it('goes a day back and on from what is chosen', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T16:30:00Z') })
    const onDays = vi.fn()
    show(<Days onDays={onDays} />)
    for (const [number, day] of [
      [6, '2026-11-20'],
      [6, '2026-11-19'],
      [7, '2026-11-20'],
    ] as const) {
      fireEvent.click((await open())[number] as Element)
      expect(onDays.mock.lastCall).toEqual([{ from: day, to: day }])
    }
  })
  it('marks the zone’s own today in the calendar', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T16:30:00Z') })
    show(<Days onDays={() => {}} />)
    await open()
    expect(document.querySelector('.ant-picker-cell-today')?.getAttribute('title')).toBe('2026-11-21')
  })
})

describe('spans and refreshing', () => {
  it('offers the five quick ranges', () => {
    const onRange = vi.fn()
    show(<QuickRanges range="today" onRange={onRange} />)
    const group = screen.getByRole('radiogroup', { name: 'Time range' })
    expect(within(group).getAllByRole('radio')).toHaveLength(5)
    expect(group.textContent).toBe('1 hour6 hoursToday7 days30 days')
    for (const [name, range] of [
      ['1 hour', '1h'],
      ['6 hours', '6h'],
      ['7 days', '7d'],
      ['30 days', '30d'],
    ] as const) {
      fireEvent.click(within(group).getByText(name))
      expect(onRange).toHaveBeenLastCalledWith(range)
    }
  })
  it('offers the five intervals and a pause', async () => {
    show(<Every />)
    expect(screen.getByRole('status').textContent).toBe('5000')
    fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Refresh every' }))
    await waitFor(() =>
      expect([...document.querySelectorAll('.ant-select-item-option')].map((o) => o.textContent)).toEqual([
        '5 s',
        '1 min',
        '5 min',
        '1 h',
        '1 d',
      ]),
    )
    fireEvent.click(screen.getByText('5 min', { selector: '.ant-select-item-option-content' }))
    expect(screen.getByRole('status').textContent).toBe('300000')
    fireEvent.click(screen.getByRole('button', { name: 'Pause refreshing' }))
    expect(screen.getByRole('status').textContent).toBe('false')
    fireEvent.click(screen.getByRole('button', { name: 'Go on refreshing' }))
    expect(screen.getByRole('status').textContent).toBe('300000')
  })
})

describe('the code editor', () => {
  it('is a text area at first and then an editor with the same text, named and marked for readers', async () => {
    document.head.innerHTML = '<meta name="csp-nonce" content="n0nce">'
    const onText = vi.fn()
    show(<Code onText={onText} />)
    expect(screen.getByRole('textbox', { name: 'Key' }).tagName).toBe('TEXTAREA')
    const editor = await waitFor(() => {
      const found = document.querySelector<HTMLElement>('.cm-content')
      if (found === null) throw new Error('no editor yet')
      return found
    })
    await waitFor(() => expect(document.querySelector('textarea')).toBeNull())
    expect(editor.textContent).toBe('-----BEGIN X-----')
    for (const [name, value] of [
      ['aria-label', 'Key'],
      ['aria-invalid', 'true'],
      ['aria-describedby', 'why'],
      ['aria-multiline', 'true'],
    ] as const)
      expect(editor.getAttribute(name)).toBe(value)
    fireEvent.click(screen.getByText('set'))
    expect(editor.textContent).toBe('from outside')
    expect(onText).not.toHaveBeenCalled()
  })
})
