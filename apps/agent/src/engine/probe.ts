/** Asks the node's own listener, as a client would, which revision it serves. "Live" means that this has been seen. */
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorText } from '../log.ts'

export type ProbeTarget = Readonly<{ host: string; port: number; secret: string }>

const ANSWER_TIMEOUT_MS = 1_000
const BETWEEN_MS = 10

/** The revision that the listener serves. Rejects when it does not answer as a probe should be answered. */
export function probeOnce(target: ProbeTarget): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: target.host,
        port: target.port,
        path: '/',
        agent: false,
        timeout: ANSWER_TIMEOUT_MS,
        headers: { host: 'tidegate-probe.internal', 'x-tidegate-probe': target.secret, connection: 'close' },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk.slice(0, 4096)
        })
        answer.on('error', reject)
        answer.on('end', () => {
          const found = /^\{"revision":(\d+)\}\s*$/.exec(text)
          if (answer.statusCode === 200 && found !== null) resolve(Number(found[1]))
          else reject(new Error(`probe answered ${answer.statusCode}`))
        })
      },
    )
    call.on('timeout', () => call.destroy(new Error('probe timed out')))
    call.on('error', reject)
    call.end()
  })
}

/** Probes until the listener serves exactly `revision`. After `deadlineMs`: what the last probe saw instead; else undefined. */
export async function probeUntil(
  target: ProbeTarget,
  revision: number,
  deadlineMs: number,
): Promise<string | undefined> {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const seen = await probeOnce(target).then(
      (found) => (found === revision ? undefined : `the listener serves revision ${found}`),
      errorText,
    )
    if (seen === undefined || Date.now() >= deadline) return seen
    await sleep(BETWEEN_MS)
  }
}
