import { LANGUAGES } from '@tidegate/contract/enums'
import { describe, expect, it } from 'vitest'
import { absolute, bps, bytes, count, figureText, millis, percent, price, relative } from './format.ts'

describe('figures in the reader’s units', () => {
  it('counts in 万 and 亿 for Chinese, K and M for English, all digits below 100,000', () => {
    expect(figureText(count(28_316, 'zh'))).toBe('28,316')
    expect(figureText(count(1_284_000, 'zh'))).toBe('128.4 万')
    expect(figureText(count(128_400_000, 'zh'))).toBe('1.284 亿')
    expect(figureText(count(128_400_000, 'en'))).toBe('128.4 M')
    expect(figureText(count(999_999, 'en'))).toBe('1 M')
    expect(figureText(count(0, 'en'))).toBe('0')
  })
  it('steps rates and sizes by 1000', () => {
    expect(figureText(bps(38_420_000_000, 'en'))).toBe('38.42 Gbps')
    expect(figureText(bps(999, 'en'))).toBe('999 bps')
    expect(figureText(bytes(513_100_000_000, 'en'))).toBe('513.1 GB')
    expect(figureText(bytes(1000, 'en'))).toBe('1 KB')
    expect(figureText(bytes(0, 'zh'))).toBe('0 B')
  })
  it('keeps the first digits of a small share', () => {
    expect(figureText(percent(0.947, 'en'))).toBe('94.7 %')
    expect(figureText(percent(0.00042, 'en'))).toBe('0.042 %')
    expect(figureText(percent(0, 'en'))).toBe('0 %')
  })
  it.each([
    [0, '¥0.00'],
    [5, '¥0.05'],
    [99, '¥0.99'],
    [100, '¥1.00'],
    [123_450, '¥1,234.50'],
    [-5, '-¥0.05'],
    [-123_456_789, '-¥1,234,567.89'],
    [900_719_925_474_099_312n, '¥9,007,199,254,740,993.12'],
  ] as const)(
    'writes %s cents as %s in both languages: / 100, 2 decimals, thousands separators [S9.9]',
    (cents, text) => {
      for (const lang of LANGUAGES) expect(price(cents, lang)).toBe(text)
      for (const lang of LANGUAGES) expect(price(cents, lang, 'US$')).toBe(text.replace('¥', 'US$'))
    },
  )
  it.each([
    [0, '0 bps'],
    [999, '999 bps'],
    [1000, '1 Kbps'],
    [1500, '1.5 Kbps'],
    [999_999, '1 Mbps'],
    [38_420_000, '38.42 Mbps'],
    [1_000_000_000, '1 Gbps'],
    [2_500_000_000_000, '2.5 Tbps'],
    [1e15, '1 Pbps'],
    [1e18, '1,000 Pbps'],
  ])('steps %s bit/s by 1000 to %s in both languages [S9.9]', (n, text) => {
    for (const lang of LANGUAGES) expect(figureText(bps(n, lang))).toBe(text)
  })
  it.each([
    [99_999, '99,999', '99,999'],
    [100_000, '10 万', '100 K'],
    [128_400_000, '1.284 亿', '128.4 M'],
    [99_999_999, '1 亿', '100 M'],
    [1_000_000_000_000, '1 万亿', '1 T'],
    [-1_284_000, '-128.4 万', '-1.284 M'],
  ])('counts %s by 10,000 for Chinese: %s, by 1000 for English: %s [S9.9]', (n, zh, en) => {
    expect(figureText(count(n, 'zh'))).toBe(zh)
    expect(figureText(count(n, 'en'))).toBe(en)
  })
  it('writes durations as a person would', () => {
    expect(millis(0.68, 'en')).toBe('0.7 ms')
    expect(millis(87.4, 'en')).toBe('87 ms')
    expect(millis(1234, 'en')).toBe('1.2 s')
  })
  it('writes times in the installation’s zone and relative to now', () => {
    expect(absolute('2026-11-21T06:03:22Z', 'Asia/Shanghai')).toBe('2026-11-21 14:03:22')
    expect(absolute('', 'Asia/Shanghai')).toBe('')
    const now = Date.parse('2026-11-21T06:03:22Z')
    expect(relative('2026-11-21T06:00:22Z', now, 'en')).toBe('3 min. ago')
    expect(relative('2026-11-21T04:03:22Z', now, 'zh')).toBe('2小时前')
  })
})
