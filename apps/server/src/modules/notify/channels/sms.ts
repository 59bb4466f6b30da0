/** Short messages by three providers. All take a template made with them, or (SMS Bao) the text itself. */
import { randomBytes } from 'node:crypto'
import { type NotifyEvent, placesOf, TEMPLATE_KEYS, type TemplateKey } from '@tidegate/contract/config/notify'
import type { CloudSmsConfig, SmsBaoConfig, SmsConfig, SmsTemplate } from '@tidegate/contract/config/sms'
import type { Clock } from '../../../platform/clock.ts'
import { acs3Headers, canonicalQuery, tc3Authorization } from '../../../platform/cloud-signatures.ts'
import { EVENTS } from '../events.ts'
import { DeliveryError } from '../fault.ts'
import { fillText } from '../render.ts'
import { callPeer, jsonOf, textOf } from './peer.ts'
import { md5 } from './signatures.ts'
import type { Outgoing, Send } from './types.ts'

/** Roots of the providers' APIs; tests put simulators there. */
export interface SmsRoots {
  tencent: string
  aliyun: string
}
export const SMS_ROOTS: SmsRoots = {
  tencent: 'https://sms.tencentcloudapi.com',
  aliyun: 'https://dysmsapi.aliyuncs.com',
}

interface Deps {
  clock: Clock
  roots: SmsRoots
  timeoutMs?: number | undefined
}

const isKey = (event: string): event is TemplateKey => (TEMPLATE_KEYS as readonly string[]).includes(event)

/** The event's template, if it has one that is switched on; `test` is sent as a code would be. */
const templateOf = (config: SmsConfig, event: string): { key: TemplateKey; template: SmsTemplate } => {
  const key = event === 'test' ? 'code' : event
  if (!isKey(key)) throw new DeliveryError('not_configured', 'this event has no short message', 'skip')
  const template = config.templateIds[key]
  if (template.status !== 1) throw new DeliveryError('switched_off', 'the template is switched off', 'skip')
  return { key, template }
}

/** Whether a notice of the event can go out by this provider: its template is switched on and, where the provider keeps the texts, known by an id. */
export const hasSms = (config: SmsConfig | null, event: NotifyEvent): boolean => {
  if (config === null || !isKey(event)) return false
  const { status, id } = config.templateIds[event]
  return status === 1 && (config.type === 'smsbao' || id !== '')
}

/** Variables in the order in which the provider's template takes them: that of `content` where it names any, else the event's. */
export const paramNames = (key: TemplateKey, content: string): string[] => {
  const named = placesOf(content.replaceAll('${', '{'))
  return named.length > 0 ? named : EVENTS[key].variables.map((one) => one.name)
}

const valuesFor = (key: TemplateKey, notice: Outgoing): Record<string, string> =>
  notice.event === 'test'
    ? Object.fromEntries(EVENTS[key].variables.map((one) => [one.name, one.sample]))
    : { ...notice.values }

const needId = (template: SmsTemplate): string => {
  if (template.id === '') throw new DeliveryError('not_configured', `template ${template.name} has no id`, 'skip')
  return template.id
}

/** Codes of Tencent's that say "later". */
const TENCENT_LATER = /^(LimitExceeded|InternalError|RequestLimitExceeded|FailedOperation\.ServerError)/
const AUTH = /AuthFailure|InvalidAccessKeyId|SignatureDoesNotMatch|Forbidden|UnauthorizedOperation|IncompleteSignature/

const failure = (code: string, words: string, later: boolean): DeliveryError => {
  if (AUTH.test(code)) return new DeliveryError('auth', words, 'fail')
  return later ? new DeliveryError('temporary', words, 'retry') : new DeliveryError('refused', words, 'fail')
}

/** Success is the `Ok` of the one number, not the status (Tencent Cloud SMS, SendSms 2021-01-11). */
const tencent =
  ({ clock, roots, timeoutMs }: Deps, config: CloudSmsConfig): Send =>
  async (notice) => {
    const { key, template } = templateOf(config, notice.event)
    const values = valuesFor(key, notice)
    const body = JSON.stringify({
      SmsSdkAppId: config.sdkappId,
      SignName: config.signname,
      TemplateId: needId(template),
      TemplateParamSet: paramNames(key, template.content).map((name) => values[name] ?? ''),
      PhoneNumberSet: [`+86${notice.to}`],
      SessionContext: notice.id,
    })
    const timestamp = Math.floor(clock.now() / 1000)
    const { host } = new URL(roots.tencent)
    const action = 'SendSms'
    const signed = {
      secretId: config.secretid,
      secretKey: config.secretkey,
      service: 'sms',
      host,
      action,
      body,
      timestamp,
    }
    const answer = await callPeer({
      method: 'POST',
      url: `${roots.tencent}/`,
      allowPrivate: true,
      beforeSend: notice.handing,
      ...(timeoutMs && { timeoutMs }),
      body,
      headers: {
        authorization: tc3Authorization(signed),
        'content-type': 'application/json; charset=utf-8',
        host,
        'x-tc-action': action,
        'x-tc-version': '2021-01-11',
        'x-tc-timestamp': String(timestamp),
        'x-tc-region': 'ap-guangzhou',
      },
    })
    const response = (jsonOf(answer).Response ?? {}) as {
      Error?: { Code?: unknown; Message?: unknown }
      SendStatusSet?: { Code?: unknown; Message?: unknown; SerialNo?: unknown }[]
    }
    const status = response.Error ?? response.SendStatusSet?.[0]
    const code = textOf(status?.Code)
    if (!response.Error && code === 'Ok') return `Ok ${textOf(response.SendStatusSet?.[0]?.SerialNo)}`
    throw failure(code, `${code}: ${textOf(status?.Message)}`, TENCENT_LATER.test(code))
  }

/** Aliyun SendSms 2017-05-25, parameters in the address. */
const aliyun =
  ({ clock, roots, timeoutMs }: Deps, config: CloudSmsConfig): Send =>
  async (notice) => {
    const { key, template } = templateOf(config, notice.event)
    const values = valuesFor(key, notice)
    const names = paramNames(key, template.content)
    const query = {
      PhoneNumbers: notice.to,
      SignName: config.signname,
      TemplateCode: needId(template),
      TemplateParam: JSON.stringify(Object.fromEntries(names.map((name) => [name, values[name] ?? '']))),
      OutId: notice.id,
    }
    const { host } = new URL(roots.aliyun)
    const headers = acs3Headers({
      keyId: config.secretid,
      keySecret: config.secretkey,
      host,
      action: 'SendSms',
      version: '2017-05-25',
      query,
      body: '',
      date: `${new Date(clock.now()).toISOString().slice(0, 19)}Z`,
      nonce: randomBytes(16).toString('hex'),
    })
    const answer = await callPeer({
      method: 'POST',
      url: `${roots.aliyun}/?${canonicalQuery(query)}`,
      allowPrivate: true,
      beforeSend: notice.handing,
      ...(timeoutMs && { timeoutMs }),
      body: '',
      headers,
    })
    const reply = jsonOf(answer)
    const code = textOf(reply.Code)
    if (code === 'OK') return `OK ${textOf(reply.BizId)}`
    throw failure(
      code,
      `${code}: ${textOf(reply.Message)}`,
      /BUSINESS_LIMIT_CONTROL|SYSTEM_ERROR|Throttling/.test(code),
    )
  }

/** SMS Bao's answers; every other one is unknown to us. */
const BAO: Readonly<Record<string, [fault: 'auth' | 'refused' | 'temporary', words: string]>> = {
  '-1': ['refused', 'parameters missing'],
  '-2': ['temporary', 'server without the needed functions'],
  '30': ['auth', 'wrong password'],
  '40': ['auth', 'no such account'],
  '41': ['refused', 'no balance'],
  '42': ['refused', 'account expired'],
  '43': ['refused', 'address not allowed'],
  '50': ['refused', 'banned word'],
  '51': ['refused', 'wrong phone number'],
}

/** The template's text, or that of the event itself: this provider takes any, so the staff is told of what has no template too. */
const baoText = (config: SmsBaoConfig, notice: Outgoing): string => {
  if (notice.event !== 'test' && !isKey(notice.event))
    return fillText(EVENTS[notice.event].texts[notice.lang].body, notice.values)
  const { key, template } = templateOf(config, notice.event)
  return fillText(template.content.replaceAll('${', '{') || EVENTS[key].texts[notice.lang].body, {
    ...notice.values,
    ...valuesFor(key, notice),
  })
}

const smsBao =
  ({ timeoutMs }: Deps, config: SmsBaoConfig): Send =>
  async (notice) => {
    const text = baoText(config, notice)
    const sign = config.signname === '' || text.startsWith('【') ? '' : `【${config.signname}】`
    const params = { u: config.username, p: md5(config.api_key), m: notice.to, c: sign + text.split('\n')[0] }
    const { status, text: answer } = await callPeer({
      method: 'GET',
      url: `${config.api_addr}?${canonicalQuery(params)}`,
      allowPrivate: true,
      beforeSend: notice.handing,
      ...(timeoutMs && { timeoutMs }),
    })
    const code = answer.trim()
    if (status === 200 && code === '0') return '0'
    const known = Object.hasOwn(BAO, code) ? BAO[code] : undefined
    if (!known)
      throw new DeliveryError('refused', `HTTP ${status}: ${code.slice(0, 200)}`, status >= 500 ? 'unknown' : 'fail')
    throw new DeliveryError(known[0], `${code}: ${known[1]}`, known[0] === 'temporary' ? 'retry' : 'fail')
  }

/** The sender of the enabled provider. */
export const createSmsSender = (deps: Deps, config: SmsConfig): Send => {
  if (config.type === 'smsbao') return smsBao(deps, config)
  return config.type === 'tencent' ? tencent(deps, config) : aliyun(deps, config)
}
