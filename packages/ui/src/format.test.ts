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
  it('writes cents as yuan', () => {
    expect(price(123_450, 'zh')).toBe('¥1,234.50')
    expect(price(-5, 'en')).toBe('-¥0.05')
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
