// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { act, configure, render, waitFor } from '@testing-library/react'
import { MomentPicker } from '@tidegate/ui/MomentPicker.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { Empty } from 'antd'
import dayjs from 'dayjs'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../shared/i18n.ts'
import { inBrowser } from '../testing/browser.ts'
import { ThemeProvider } from './ThemeProvider.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })

/** Three hours and a little ago. */
const THEN = new Date(Date.now() - 3 * 3_600_000 - 300_000).toISOString()

const Shown = () => (
  <ThemeProvider>
    <Empty />
    <RelativeTime iso={THEN} />
    <RelativeTime iso="2026-11-21T06:00:22Z" both />
    <MomentPicker id="when" value="2026-11-21T06:00:00Z" />
  </ThemeProvider>
)
const text = () => document.body.textContent ?? ''
const WORDS = {
  en: {
    picker: 'Choose a day and a time',
    lang: 'en',
    empty: 'No data',
    ago: '3 hr. ago',
    month: 'Nov',
    weekday: 'Sa',
    now: 'Now',
    ok: 'OK',
  },
  zh: {
    picker: '选择日期和时间',
    lang: 'zh-CN',
    empty: '暂无数据',
    ago: '3小时前',
    month: '11月',
    weekday: '六',
    now: '此刻',
    ok: '确定',
  },
} as const

describe('the language', () => {
  it.each(['en', 'zh'] as const)(
    'is that of antd’s own words, of dates and calendars, and of the page (%s) [S1.2]',
    async (lang) => {
      const words = WORDS[lang]
      chooseLang(lang)
      render(<Shown />)
      expect(document.documentElement.lang).toBe(words.lang)
      await waitFor(() => expect(text()).toContain(words.empty))
      expect(document.querySelector('time')?.textContent).toBe(words.ago)
      expect(document.querySelector('time small')?.textContent).toBe('2026-11-21 14:00:22')
      expect(dayjs('2026-11-21').format('MMM')).toBe(words.month)
      const field = document.querySelector<HTMLInputElement>('#when')
      expect(field?.value).toBe('2026-11-21 14:00')
      act(() => field?.focus())
      field?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
      field?.click()
      await waitFor(() => expect(document.querySelector('.ant-picker-content th')).not.toBeNull())
      expect([...document.querySelectorAll('.ant-picker-content th')].map((th) => th.textContent)).toContain(
        words.weekday,
      )
      expect(document.querySelector('[role=dialog]')?.getAttribute('aria-label')).toBe(words.picker)
      expect(document.querySelector('.ant-picker-month-btn')?.textContent).toBe(words.month)
      expect(document.querySelector('.ant-picker-now-btn')?.textContent).toBe(words.now)
      expect(document.querySelector('.ant-picker-ok')?.textContent?.replace(/\s/g, '')).toBe(words.ok)
    },
  )

  it('changes in what is shown already [S1.2]', async () => {
    chooseLang('en')
    render(<Shown />)
    await waitFor(() => expect(text()).toContain('No data'))
    act(() => chooseLang('zh'))
    await waitFor(() => expect(text()).toContain('暂无数据'))
    expect(document.querySelector('time')?.textContent).toBe('3小时前')
    expect(document.documentElement.lang).toBe('zh-CN')
  })
})
