/** Who can compare a name with an identity number, each by its own call. */
import { randomBytes } from 'node:crypto'
import type { IdentityConfig, IdentityVerdict } from '@tidegate/contract/config/services'
import type { Clock } from '../../platform/clock.ts'
import { acs3Headers, canonicalQuery, tc3Authorization } from '../../platform/cloud-signatures.ts'
import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingRequest,
  outgoing,
  PrivateAddressError,
} from '../../platform/outgoing.ts'

/** Roots of the providers' APIs; tests put simulators there. */
export interface RealNameRoots {
  aliyun: string
  tencent: string
}
export const REAL_NAME_ROOTS: RealNameRoots = {
  aliyun: 'https://cloudauth.aliyuncs.com',
  tencent: 'https://faceid.tencentcloudapi.com',
}

export interface Person {
  realName: string
  /** 18 characters, checked. */
  idCard: string
}

/** `answer`: the provider's words, which may repeat what was sent. */
export interface ProviderAnswer {
  verdict: IdentityVerdict
  answer: string
}

interface Deps {
  clock: Clock
  roots: RealNameRoots
  timeoutMs?: number | undefined
}
type Ask = (deps: Deps, config: IdentityConfig, person: Person) => Promise<ProviderAnswer>

const TIMEOUT_MS = 15_000
const MAX_ANSWER = 500

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** A member by its dotted path; lists by place. */
export const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), value)

const failed = (answer: string): ProviderAnswer => ({ verdict: 'failed', answer: answer.slice(0, MAX_ANSWER) })

/** One call; what is no JSON object is a failure. The operator named the address. */
const exchange = async (
  deps: Deps,
  request: Omit<OutgoingRequest, 'timeoutMs' | 'allowPrivate'>,
  read: (body: Record<string, unknown>, answer: OutgoingAnswer) => ProviderAnswer,
): Promise<ProviderAnswer> => {
  let answer: OutgoingAnswer
  try {
    answer = await outgoing({ ...request, timeoutMs: deps.timeoutMs ?? TIMEOUT_MS, allowPrivate: true })
  } catch (error) {
    if (error instanceof OutgoingError || error instanceof PrivateAddressError) return failed(error.message)
    throw error
  }
  let body: unknown
  try {
    body = JSON.parse(answer.text)
  } catch {
    return failed(`HTTP ${answer.status}: ${answer.text}`)
  }
  if (!isObject(body)) return failed(`HTTP ${answer.status}: ${answer.text}`)
  const found = read(body, answer)
  return { ...found, answer: found.answer.slice(0, MAX_ANSWER) }
}

const ALIYUN: Readonly<Record<string, IdentityVerdict>> = { 1: 'match', 2: 'mismatch', 3: 'unknown' }

/** Id2MetaVerify, 2019-03-07: name and number in the form, so that neither stands in an address. */
const aliyun: Ask = (deps, config, { realName, idCard }) => {
  const root = config.endpoint || deps.roots.aliyun
  const body = canonicalQuery({ ParamType: 'normal', IdentifyNum: idCard, UserName: realName })
  const headers = acs3Headers({
    keyId: config.accessKeyId,
    keySecret: config.accessKeySecret,
    host: new URL(root).host,
    action: 'Id2MetaVerify',
    version: '2019-03-07',
    query: {},
    body,
    contentType: 'application/x-www-form-urlencoded',
    date: `${new Date(deps.clock.now()).toISOString().slice(0, 19)}Z`,
    nonce: randomBytes(16).toString('hex'),
  })
  return exchange(deps, { method: 'POST', url: `${root}/`, headers, body }, (reply) => {
    const code = String(reply.Code ?? '')
    const biz = String(memberAt(reply, 'ResultObject.BizCode') ?? '')
    const answer = `${code} ${String(reply.Message ?? '')}${biz === '' ? '' : `, BizCode ${biz}`}`
    return { verdict: (code === '200' && ALIYUN[biz]) || 'failed', answer }
  })
}

/** -2 and -3: number or name in no possible form; -4, -6, -7: the authority's service does not answer. */
const TENCENT: Readonly<Record<string, IdentityVerdict>> = {
  '0': 'match',
  '-1': 'mismatch',
  '-2': 'mismatch',
  '-3': 'mismatch',
  '-5': 'unknown',
}

/** IdCardVerification, faceid 2018-03-01. */
const tencent: Ask = (deps, config, { realName, idCard }) => {
  const root = config.endpoint || deps.roots.tencent
  const { host } = new URL(root)
  const action = 'IdCardVerification'
  const body = JSON.stringify({ IdCard: idCard, Name: realName })
  const timestamp = Math.floor(deps.clock.now() / 1000)
  const { secretId, secretKey } = config
  const headers = {
    authorization: tc3Authorization({ secretId, secretKey, service: 'faceid', host, action, body, timestamp }),
    'content-type': 'application/json; charset=utf-8',
    host,
    'x-tc-action': action,
    'x-tc-version': '2018-03-01',
    'x-tc-timestamp': String(timestamp),
  }
  return exchange(deps, { method: 'POST', url: `${root}/`, headers, body }, (reply) => {
    const error = memberAt(reply, 'Response.Error.Code')
    if (error !== undefined) return failed(`${String(error)}: ${String(memberAt(reply, 'Response.Error.Message'))}`)
    const result = String(memberAt(reply, 'Response.Result') ?? '')
    const answer = `${result} ${String(memberAt(reply, 'Response.Description') ?? '')}`
    return { verdict: TENCENT[result] ?? 'failed', answer }
  })
}

/** An API of a cloud market: name and number in a form or in the address, the result at a place of the answer that the operator says. */
const market: Ask = (deps, config, { realName, idCard }) => {
  const form = canonicalQuery({ [config.nameField]: realName, [config.numberField]: idCard })
  const get = config.method === 'get'
  const headers = {
    authorization: `APPCODE ${config.appCode}`,
    accept: 'application/json',
    ...(!get && { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }),
  }
  const request = get
    ? { method: 'GET' as const, url: `${config.url}?${form}`, headers }
    : { method: 'POST' as const, url: config.url, headers, body: form }
  return exchange(deps, request, (reply, { status, text }) => {
    const result = memberAt(reply, config.resultPath)
    const answer = `HTTP ${status}: ${text}`
    if (status >= 400 || result === undefined || result === null || isObject(result)) return failed(answer)
    return { verdict: String(result) === config.matchValue ? 'match' : 'mismatch', answer }
  })
}

const PROVIDERS: Readonly<Record<string, Ask>> = { aliyun, tencent, http: market }

/** Asks the provider of the settings; never throws for what the provider does. */
export const askProvider: Ask = (deps, config, person) => {
  const ask = PROVIDERS[config.provider]
  if (!ask) throw new Error(`no identity API ${config.provider}`)
  return ask(deps, config, person)
}
