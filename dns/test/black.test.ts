/** The blacklist on a real dnsdist, with a name server behind it that answers everything. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BlackScope, blackDecision } from '@tidegate/contract/black'
import { type BlackConfig, blackConfig } from '@tidegate/contract/config/black'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { Dnsdist, type Entries, fromBackend, TYPES, type Type } from './harness.ts'

const ENTRIES: Entries = [
  ['bad.example', 'tree'],
  ['alone.example', 'name'],
  ['deep.bad.example', 'name'],
  ['below.never.example', 'tree'],
]
const given = (more: Partial<BlackConfig> = {}) => blackConfig.parse(more)

describe('the blacklist on dnsdist', () => {
  let running: Dnsdist | null = null
  afterEach(async () => {
    await running?.stop()
    running = null
  })
  const start = async (config: BlackConfig, entries = ENTRIES, file?: string) => {
    running = await Dnsdist.start(config, entries, file === undefined ? {} : { file })
    return running
  }
  const addressesOf = async (dnsdist: Dnsdist, name: string, type: Type) =>
    (await dnsdist.ask(name, type)).answers.map((one) => [one.type, one.ttl, one.data.toString('hex')])

  const KINDS: [BlackConfig['answer'], { rcode: number; soa: { ttl: number } | null }][] = [
    ['refused', { rcode: 5, soa: null }],
    ['nxdomain', { rcode: 3, soa: { ttl: 33 } }],
    ['nodata', { rcode: 0, soa: { ttl: 33 } }],
  ]
  it.each(KINDS)('answers %s to names of the list and what is below them, and lets others through', async (...row) => {
    const [answer, wanted] = row
    const dnsdist = await start(given({ answer, ttl: 33 }))
    for (const name of ['bad.example', 'a.b.bad.example', 'BAD.Example', 'x.deep.bad.example', 'alone.example'])
      for (const type of ['A', 'TXT'] as const)
        expect([name, type, await dnsdist.ask(name, type)]).toEqual([name, type, { ...wanted, answers: [] }])
    for (const name of ['example', 'notbad.example', 'bad.example.com', 'a.alone.example', 'fine.test'])
      expect([name, fromBackend(await dnsdist.ask(name))]).toEqual([name, true])
  })

  it('answers with the addresses given, each to its own type, and with nothing to other types', async () => {
    const dnsdist = await start(given({ answer: 'address', addresses: '192.0.2.1\n2001:db8::1', ttl: 44 }))
    for (const name of ['bad.example', 'a.bad.example', 'alone.example']) {
      expect(await addressesOf(dnsdist, name, 'A')).toEqual([[TYPES.A, 44, 'c0000201']])
      expect(await addressesOf(dnsdist, name, 'AAAA')).toEqual([[TYPES.AAAA, 44, `20010db8${'0'.repeat(23)}1`]])
      expect(await dnsdist.ask(name, 'TXT')).toEqual({ rcode: 0, answers: [], soa: { ttl: 44 } })
    }
    expect(fromBackend(await dnsdist.ask('a.alone.example'))).toBe(true)
  })

  it('never blocks an exception or what is below it, wherever it stands', async () => {
    const dnsdist = await start(given({ exceptions: 'good.bad.example\nnever.example' }))
    for (const name of [
      'good.bad.example',
      'a.good.bad.example',
      'never.example',
      'below.never.example',
      'x.below.never.example',
    ])
      expect([name, fromBackend(await dnsdist.ask(name))]).toEqual([name, true])
    expect((await dnsdist.ask('other.bad.example')).rcode).toBe(3)
  })

  it('follows a changed list without a restart', async () => {
    const dnsdist = await start(given())
    const before = dnsdist.pid()
    dnsdist.write([['new.example', 'tree']])
    await dnsdist.until(async () => (await dnsdist.ask('a.new.example')).rcode === 3)
    expect(fromBackend(await dnsdist.ask('bad.example'))).toBe(true)
    dnsdist.write([])
    await dnsdist.until(async () => fromBackend(await dnsdist.ask('a.new.example')))
    expect(dnsdist.pid()).toBe(before)
  })

  it('does nothing when it is switched off', async () => {
    const dnsdist = await start(given({ enabled: false }))
    expect(fromBackend(await dnsdist.ask('bad.example'))).toBe(true)
  })

  it('logs what it blocks, and only when that is wanted', async () => {
    const logging = await start(given({ log: true }))
    await logging.ask('fine.test')
    await logging.ask('logged.bad.example')
    await logging.until(() => logging.output.includes('logged.bad.example'))
    expect(logging.output).not.toContain('fine.test')
  })

  it('takes no order from a name or a path', async () => {
    const hostile = [
      ...[
        `a")os.execute("touch canary")--.example`,
        ']].example',
        'a\nend\n.example',
        '\\").example',
        'é\u0000.example',
      ],
    ]
    const path = `a"..os.execute('touch canary').."]]--\\\n.cdb`
    const dnsdist = await start(given(), [...ENTRIES, ...hostile.map((name) => [name, 'tree'] as const)], path)
    for (const name of hostile.slice(0, 4)) expect([name, (await dnsdist.ask(name)).rcode]).toEqual([name, 3])
    expect((await dnsdist.ask('bad.example')).rcode).toBe(3)
    expect(fromBackend(await dnsdist.ask('fine.test'))).toBe(true)
    expect(existsSync(join(dnsdist.dir, 'canary'))).toBe(false)
  })

  it('decides on every name as the check of the console does', async () => {
    const label = fc.constantFrom('a', 'b', 'c')
    const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => [...labels, 'example'].join('.'))
    const scope = fc.constantFrom<BlackScope[]>('tree', 'name')
    const [sample] = fc.sample(
      fc.record({
        entries: fc.uniqueArray(fc.tuple(name, scope), { selector: ([one]) => one, minLength: 25, maxLength: 40 }),
        exceptions: fc.uniqueArray(name, { minLength: 3, maxLength: 6 }),
        asked: fc.uniqueArray(name, { minLength: 80, maxLength: 100 }),
      }),
      { numRuns: 1 },
    )
    if (sample === undefined) throw new Error('no sample')
    const { entries, exceptions, asked } = sample
    const dnsdist = await start(given({ exceptions: exceptions.join('\n') }), entries)
    const scopes = new Map(entries)
    const wrong: string[] = []
    for (const one of asked) {
      const decided = blackDecision(
        one,
        (n) => scopes.get(n),
        (n) => exceptions.includes(n),
      )
      const blocked = (await dnsdist.ask(one)).rcode === 3
      if (blocked !== (decided?.by === 'entry')) wrong.push(one)
    }
    expect({ wrong, ...(wrong.length > 0 && { entries, exceptions }) }).toEqual({ wrong: [] })
  })
})
