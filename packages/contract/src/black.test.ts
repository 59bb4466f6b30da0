import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BlackScope,
  blackDecision,
  blackKey,
  blackLines,
  namesUpward,
  readBlackLine,
  readBlackText,
} from './black.ts'
import { type BlackConfig, blackConfig } from './config/black.ts'
import type { Lang } from './enums.ts'
import { fieldErrors } from './issues.ts'

const said = (schema: typeof blackConfig | ReturnType<typeof blackLines>, value: unknown, lang: Lang) => {
  const parsed = schema.safeParse(value, { reportInput: true })
  return parsed.success
    ? []
    : fieldErrors(parsed.error, lang).map(({ path, msg }) => (path === '' ? msg : `${path}: ${msg}`))
}

describe('a line of the blacklist', () => {
  it.each([
    ['example.com', [['example.com', null]]],
    ['  Ads.Example.COM.  ', [['ads.example.com', null]]],
    ['*.example.com', [['example.com', 'tree']]],
    ['例子.测试', [['xn--fsqu00a.xn--0zwm56d', null]]],
    ['_dmarc.example.com # why', [['_dmarc.example.com', null]]],
    ['# a comment', []],
    ['# a comment\r', []],
    ['a.example # why\r', [['a.example', null]]],
    ['', []],
    ['\u{feff}example.com', [['example.com', null]]],
    ['0.0.0.0 ads.example.com', [['ads.example.com', null]]],
    [
      '127.0.0.1\tlocalhost localhost.localdomain a.example b.example # two',
      [
        ['a.example', null],
        ['b.example', null],
      ],
    ],
    ['::1 ip6-localhost ip6-loopback', []],
    ['fe80::1%lo0 localhost', []],
    ['0.0.0.0 0.0.0.0', []],
  ] as [string, [string, BlackScope | null][]][])('%j gives its names', (line, names) => {
    expect(readBlackLine(line)).toEqual({ names: names.map(([name, scope]) => ({ name, scope })) })
  })

  it.each([
    ['example'],
    ['http://example.com/'],
    ['a b.example'],
    ['ex"ample.com'],
    ['example.com;drop'],
    ['1.2.3.4'],
    ['0.0.0.0 bad_'],
    ['-x.example'],
    ['*.*.example.com'],
    [`${'a'.repeat(63)}.${'a'.repeat(63)}.${'a'.repeat(63)}.${'a'.repeat(63)}`],
  ])('%j is refused', (line) => {
    const { names, wrong } = readBlackLine(line)
    // A word without a dot in a hosts line is the machine's own name.
    if (line === '0.0.0.0 bad_') expect({ names, wrong }).toEqual({ names: [], wrong: undefined })
    else expect(wrong).toBeTruthy()
  })

  it('is named by its number where it is wrong or says a name again, in both languages', () => {
    const text = 'a.example\n\nno domain here\n*.A.example.\n0.0.0.0 b.example a.example'
    expect(readBlackText(text).entries).toEqual([
      { line: 1, name: 'a.example', scope: null },
      { line: 5, name: 'b.example', scope: null },
    ])
    expect(said(blackLines(10), text, 'en')).toEqual([
      'line 3: domain format error: no domain here',
      'line 4: is there already in line 1: a.example',
      'line 5: is there already in line 1: a.example',
    ])
    expect(said(blackLines(10), text, 'zh')[1]).toBe('第 4 行：与第 1 行重复：a.example')
    expect(said(blackLines(1), 'a.example\nb.example', 'en')).toEqual(['at most 1 entries'])
  })
})

describe('what decides on a name', () => {
  const entries = new Map<string, BlackScope>([
    ['bad.example', 'tree'],
    ['only.example', 'name'],
    ['deep.bad.example', 'name'],
  ])
  const exceptions = new Set(['good.bad.example', 'never.example'])
  it.each([
    ['bad.example', 'entry', 'bad.example'],
    ['a.b.bad.example', 'entry', 'bad.example'],
    ['x.deep.bad.example', 'entry', 'bad.example'],
    ['deep.bad.example', 'entry', 'deep.bad.example'],
    ['only.example', 'entry', 'only.example'],
    ['a.only.example', '', ''],
    ['notbad.example', '', ''],
    ['good.bad.example', 'exception', 'good.bad.example'],
    ['a.good.bad.example', 'exception', 'good.bad.example'],
  ])('%s: %s %s', (asked, by, name) => {
    const found = blackDecision(
      asked,
      (one) => entries.get(one),
      (one) => exceptions.has(one),
    )
    expect(found ?? { by: '', name: '' }).toEqual({ by, name })
  })

  it('stands in an order in which a name comes right before all that is below it', () => {
    const label = fc.stringMatching(/^[a-z0-9_-]{1,3}$/)
    const names = fc.array(
      fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
      {
        minLength: 1,
        maxLength: 40,
      },
    )
    const order = (a: string, b: string) => (blackKey(a) < blackKey(b) ? -1 : 1)
    fc.assert(
      fc.property(names, (given) => {
        const sorted = [...new Set(given)].sort(order)
        for (const [i, name] of sorted.entries()) {
          const below = sorted.map((one) => one !== name && namesUpward(one).includes(name))
          const count = below.filter(Boolean).length
          expect(below.slice(i + 1, i + 1 + count).every(Boolean)).toBe(true)
        }
      }),
    )
  })
})

describe('the settings of the blacklist', () => {
  const given = (more: Partial<BlackConfig>) => blackConfig.parse({ ...more })
  it('have a default, and lists one a line without what is not needed', () => {
    expect(blackConfig.parse({})).toEqual({
      ...{ enabled: true, answer: 'nxdomain', addresses: '', ttl: 60, log: false, exceptions: '' },
    })
    expect(given({ answer: 'address', addresses: ' 192.0.2.1 \n\n2001:DB8::1\n' }).addresses).toBe(
      '192.0.2.1\n2001:db8::1',
    )
    expect(given({ exceptions: 'Good.example\n\n*.fine.example' }).exceptions).toBe('good.example\nfine.example')
  })
  it.each([
    [{ answer: 'address' }, 'addresses: is required', 'addresses: 不能为空'],
    [{ addresses: '192.0.2.1\nx' }, 'addresses: line 2: IP format error: x', 'addresses: 第 2 行：IP 格式错误：x'],
    [
      { addresses: '192.0.2.1\n192.0.2.1' },
      'addresses: line 2: is there already in line 1: 192.0.2.1',
      'addresses: 第 2 行：与第 1 行重复：192.0.2.1',
    ],
    [{ exceptions: 'a' }, 'exceptions: line 1: domain format error: a', 'exceptions: 第 1 行：域名格式错误：a'],
    [{ ttl: -1 }, 'ttl: must not be less than 0', 'ttl: 不能小于 0'],
    [{ ttl: 86_401 }, 'ttl: must not be greater than 86400', 'ttl: 不能大于 86400'],
    [{ ttl: 1.5 }, 'ttl: is not in the right form', 'ttl: 格式不正确'],
  ])('refuse %j at its field', (value, en, zh) => {
    expect(said(blackConfig, value, 'en')).toEqual([en])
    expect(said(blackConfig, value, 'zh')).toEqual([zh])
  })
})
