/** Hands calls on to the linked site or the DNS product's API: only there, without redirects, bounded in size and time, audited. */
import type { FlagsConfig } from '@tidegate/contract/config/web'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Part } from '../../platform/part.ts'
import { audit } from '../audit/index.ts'

export interface RelayDeps {
  db: Db
  linkedSite(): Promise<FlagsConfig['otherSite']>
  /** Empty: none. */
  dnsApiRoot(): Promise<string>
  /** Milliseconds until an answer must be complete; tests shorten it. */
  timeoutMs?: number
}

type Input = InputOf<'relay.system'>
type Output = OutputOf<'relay.system'>

const TIMEOUT_MS = 10_000
const MAX_ANSWER = 1_048_576

interface Root {
  /** Ends with a slash. */
  root: string
  token: string
}

const rootOf = async (deps: RelayDeps, target: Input['target']): Promise<Root> => {
  if (target === 'dns') {
    const root = await deps.dnsApiRoot()
    if (root === '') throw new AppError('relay_unset')
    return { root: `${root}/`, token: '' }
  }
  const site = await deps.linkedSite()
  if (site === null || site.siteUrl === '') throw new AppError('relay_unset')
  return { root: site.siteUrl + site.apiRootPath, token: site.token }
}

/** The address below the root; whatever the path tries, it stays there. */
const addressOf = (root: string, { url, params }: Input): URL => {
  const address = new URL(url.replace(/^\//, ''), root)
  if (!address.href.startsWith(new URL(root).href)) throw new AppError('forbidden')
  for (const [name, value] of Object.entries(params ?? {}))
    address.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  return address
}

/** The body as text, cut off with an error when it is longer than it may be. */
const boundedText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const ask = async (address: URL, token: string, input: Input, caller: Caller, timeoutMs: number): Promise<Output> => {
  const response = await fetch(address, {
    method: input.method,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      accept: 'application/json',
      lang: caller.lang,
      'x-request-id': caller.requestId,
      ...(token !== '' && { token }),
      ...(input.method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(input.method === 'POST' && { body: JSON.stringify(input.param ?? {}) }),
  })
  if (response.status >= 300 && response.status < 400) throw new Error(`redirected with ${response.status}`)
  return { status: response.status, data: parsed(await boundedText(response)) }
}

export const createRelayModule = (deps: RelayDeps): Part & { handlers: Handlers<'relay.account' | 'relay.system'> } => {
  const relay = async (action: 'relay.account' | 'relay.system', input: Input, caller: Caller): Promise<Output> => {
    const { root, token } = await rootOf(deps, input.target)
    const address = addressOf(root, input)
    const trace = (status: string | number) =>
      // Neither query nor body: they may carry secrets.
      audit(deps.db, caller, {
        action,
        target: `${input.method} ${address.origin}${address.pathname}`,
        after: { status },
      })
    try {
      // The operator's token opens what the operator may do: customers' calls go without it.
      const own = action === 'relay.system' ? token : ''
      const answer = await ask(address, own, input, caller, deps.timeoutMs ?? TIMEOUT_MS)
      await trace(answer.status)
      return answer
    } catch (cause) {
      await trace(cause instanceof Error ? cause.message : String(cause))
      throw new AppError('relay_failed', { cause })
    }
  }
  return {
    name: 'relay',
    handlers: {
      'relay.account': (input, caller) => relay('relay.account', input, caller),
      'relay.system': (input, caller) => relay('relay.system', input, caller),
    },
  }
}
