/** An operator's question to DNS against a real dnsdist that answers by its own rules. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DnsType } from '@tidegate/contract/node/lookups'
import { dnsdistCommand } from '@tidegate/engine-files/dnsdist'
import { DnsdistProcess } from '@tidegate/testkit/dnsdist'
import { freeDnsPort } from '@tidegate/testkit/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllowances } from '../resolve/guard.ts'
import { digger } from './dig.ts'

/** Raw data of records, as dnsdist takes it. */
const raw = (...parts: (string | number[])[]) =>
  parts
    .flatMap((part) => (typeof part === 'string' ? [part.length, ...Buffer.from(part)] : part))
    .map((byte) => `\\${String(byte).padStart(3, '0')}`)
    .join('')
const SPOOFED: [DnsType, string, string][] = [
  ['TXT', raw('v=spf1 "a" \\', 'more'), '"v=spf1 \\"a\\" \\\\" "more"'],
  ['MX', raw([0, 10], 'mail', 'example', [0]), '10 mail.example.'],
  ['SRV', raw([0, 1, 0, 2, 20, 102], 'sip', 'example', [0]), '1 2 5222 sip.example.'],
  ['CAA', raw([0], 'issue', [...Buffer.from('ca.example')]), '0 issue "ca.example"'],
  ['NS', raw('ns1', 'example', [0]), 'ns1.example.'],
  ['SOA', raw('ns', [0], 'root', 'ns', [0], ...[1, 2, 3, 4, 5].map((n) => [0, 0, 0, n])), 'ns. root.ns. 1 2 3 4 5'],
  ['PTR', raw('host', 'example', [0]), 'host.example.'],
]

const RULES = [
  ...SPOOFED.map(
    ([type, data]) =>
      `addAction(AndRule({QNameRule("all.example."), QTypeRule(DNSQType.${type})}), SpoofRawAction("${data}", {ttl=77, aa=true}))`,
  ),
  'addAction(QNameRule("four.example."), SpoofAction({"192.0.2.1", "192.0.2.2"}, {ttl=5}))',
  'addAction(QNameRule("six.example."), SpoofAction("2001:db8::1", {ttl=6}))',
  'addAction(QNameRule("name.example."), SpoofCNAMEAction("other.example.", {ttl=7}))',
  'addAction(AndRule({QNameRule("big.example."), TCPRule(false)}), TCAction())',
  'addAction(QNameRule("big.example."), SpoofAction("192.0.2.9"))',
  'addAction(QNameRule("gone.example."), NegativeAndSOAAction(true, "example.", 300, "ns.example.", "root.example.", 1, 2, 3, 4, 5))',
  'addAction(QNameRule("no.example."), RCodeAction(DNSRCode.REFUSED))',
  'addAction(QNameRule("never.example."), DropAction())',
]

describe('a question to DNS', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tga-dig-'))
  let dnsdist: DnsdistProcess
  beforeAll(async () => {
    const command = (conf: string) => dnsdistCommand(process.env.TIDEGATE_ENGINE_ROOT ?? '', conf)
    dnsdist = await DnsdistProcess.start(dir, RULES, command)
  })
  afterAll(async () => {
    await dnsdist?.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  const ask = (name: string, type: DnsType = 'A') =>
    digger({ allowed: () => parseAllowances([]), servers: () => [`127.0.0.1:${dnsdist.port}`] })({
      ...{ name, type },
      server: '',
    })

  it.each(SPOOFED)('shows %s as a zone file has it', async (type, _, data) => {
    expect(await ask('all.example', type)).toMatchObject({
      ...{ fault: null, status: 'NOERROR', tcp: false, authoritative: true },
      answers: [{ name: 'all.example.', type, ttl: 77, data }],
    })
  })

  it('gives every address, an alias, and the way by TCP when the answer is too long', async () => {
    const four = await ask('four.example')
    expect(four.answers.map(({ type, data, ttl }) => [type, data, ttl]).sort()).toEqual([
      ['A', '192.0.2.1', 5],
      ['A', '192.0.2.2', 5],
    ])
    expect(four.server).toBe(`127.0.0.1:${dnsdist.port}`)
    expect((await ask('six.example', 'AAAA')).answers[0]).toMatchObject({ data: '2001:db8::1' })
    expect((await ask('name.example')).answers[0]).toMatchObject({ type: 'CNAME', data: 'other.example.' })
    expect(await ask('big.example')).toMatchObject({ tcp: true, answers: [{ data: '192.0.2.9' }] })
  })

  it('tells a name that is not there, a refusal, silence, and nobody', async () => {
    expect(await ask('gone.example')).toMatchObject({
      ...{ fault: null, status: 'NXDOMAIN', answers: [] },
    })
    expect(await ask('no.example')).toMatchObject({ fault: null, status: 'REFUSED' })
    expect(await ask('never.example')).toMatchObject({ fault: 'timeout', status: '', answers: [] })
    const port = await freeDnsPort()
    const nobody = digger({ allowed: () => parseAllowances([`127.0.0.1:${port}`]) })
    const answer = await nobody({ name: 'four.example', type: 'A', server: `127.0.0.1:${port}` })
    expect(answer.fault).toBe('unreachable')
  })

  it('asks no server at a private address that the group does not allow', async () => {
    const input = { name: 'four.example', type: 'A', server: `127.0.0.1:${dnsdist.port}` } as const
    for (const allowed of [[], ['10.0.0.0/8'], ['127.0.0.1:53']])
      await expect(digger({ allowed: () => parseAllowances(allowed) })(input)).rejects.toMatchObject({
        fault: 'private',
      })
    for (const allowed of [['*'], ['127.0.0.0/8'], [`127.0.0.1:${dnsdist.port}`]])
      expect(await digger({ allowed: () => parseAllowances(allowed) })(input)).toMatchObject({ status: 'NOERROR' })
  })
})
