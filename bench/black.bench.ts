/**
 * The DNS blacklist at a million names: import, compilation and search in the control plane; size, memory and time until live on dnsdist,
 * beside a dnsdist that holds the same names in a SuffixMatchNode. Run: node --import tsx bench/black.bench.ts [names]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type BlackScope, blackKey } from '@tidegate/contract/black'
import { blackConfig } from '@tidegate/contract/config/black'
import { createBlackFile, renderBlackRules } from '@tidegate/engine-files/dnsdist-black'
import { compiled, Dnsdist, sorted } from '../dns/test/harness.ts'

const NAMES = Number(process.argv[2] ?? 1_000_000)
const ASKED = 20_000
const AT_A_TIME = 32
/** What is not blocked is answered on the spot, so that only dnsdist is measured. */
const REST = 'addAction(AllRule(), RCodeAction(DNSRCode.REFUSED))'
const GOAL = { bytes: 100 * 1_048_576, liveMs: 5_000 }

const say = (what: string, value: string) => process.stdout.write(`${what.padEnd(48)}  ${value}\n`)
const ms = (from: number) => `${(performance.now() - from).toFixed(0)} ms`
const mib = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MiB`

/** Names as lists have them: some fifteen to thirty characters, two or three labels, in no order. */
const nameOf = (i: number) => {
  const mixed = ((i * 2_654_435_761) % 2 ** 32).toString(36)
  return i % 3 === 0 ? `ads${i}.${mixed}.example` : `${mixed}-tracker-${i}.test`
}
const entries = Array.from({ length: NAMES }, (_, i) => [nameOf(i), 'tree' as BlackScope] as const)
const config = blackConfig.parse({})

/** Seconds for so many questions, half of them for blocked names. */
const rate = async (dnsdist: Dnsdist) => {
  const began = performance.now()
  let next = 0
  const work = async () => {
    for (let i = next++; i < ASKED; i = next++)
      await dnsdist.ask(i % 2 === 0 ? `www.${nameOf((i * 7_919) % NAMES)}` : `free-${i}.invalid-name.test`)
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  return ASKED / ((performance.now() - began) / 1_000)
}

process.stdout.write(`blacklist, ${NAMES} names\n`)
const inOrder = sorted(entries).map(([name, scope]) => ({ key: blackKey(name), scope }))
let from = performance.now()
const spent = process.cpuUsage()
const black = createBlackFile([])
for (const { key, scope } of inOrder) black.add(key, scope)
const records = black.take()
const { head, tables } = black.end()
const file = Buffer.concat([head, records, tables])
const { user, system } = process.cpuUsage(spent)
say('compiled', `${ms(from)}, processor ${((user + system) / 1_000).toFixed(0)} ms`)
say('cdb file', mib(file.length))

from = performance.now()
const own = await Dnsdist.start(config, [], {
  rules: (dir) => `${renderBlackRules(config, join(dir, 'black.cdb'))}${REST}`,
})
own.put(file)
await own.until(async () => (await own.ask(`www.${nameOf(2)}`)).rcode === 3)
say('dnsdist up with the list', ms(from))
await own.ask(`www.${nameOf(1)}`)
const ownRate = await rate(own)
const ownMemory = own.memory()
say('dnsdist with the cdb: memory', mib(ownMemory))
const changed = compiled(sorted([...entries, ['new-name.example', 'tree']]))
own.put(changed)
from = performance.now()
await own.until(async () => (await own.ask('a.new-name.example')).rcode === 3)
const live = performance.now() - from
say('a changed list live after its renaming', `${live.toFixed(0)} ms`)
await own.stop()

from = performance.now()
const peer = await Dnsdist.start(config, [], {
  rules: (dir) => {
    const list = join(dir, 'names.txt')
    writeFileSync(list, entries.map(([name]) => name).join('\n'))
    return [
      'local names = newSuffixMatchNode()',
      `for line in io.lines("${list}") do names:add(newDNSName(line)) end`,
      'addAction(SuffixMatchNodeRule(names), RCodeAction(DNSRCode.NXDOMAIN))',
      REST,
    ].join('\n')
  },
})
await peer.ask(`www.${nameOf(1)}`)
const peerUp = performance.now() - from
const peerRate = await rate(peer)
const peerMemory = peer.memory()
say('dnsdist with a SuffixMatchNode: up after', `${peerUp.toFixed(0)} ms (as long for every change)`)
say('dnsdist with a SuffixMatchNode: memory', mib(peerMemory))
await peer.stop()

say('memory, cdb / SuffixMatchNode', (ownMemory / peerMemory).toFixed(3))
say('time until live, cdb / SuffixMatchNode', (live / peerUp).toFixed(3))
say(
  'questions a second, cdb / SuffixMatchNode',
  `${(ownRate / peerRate).toFixed(2)} (${ownRate.toFixed(0)}/s by this client)`,
)

const met = file.length <= GOAL.bytes && ownMemory <= GOAL.bytes + 50 * 1_048_576 && live <= GOAL.liveMs
process.stdout.write(`\ngoal: list <= 100 MiB, live <= 5 s: ${met ? 'met' : 'MISSED'}\n`)
process.exit(met ? 0 : 1)
