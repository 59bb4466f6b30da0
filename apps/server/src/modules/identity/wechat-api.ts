/**
 * WeChat's login for websites: the page with the code to be scanned, and the two calls that tell who has scanned it ("Website Application
 * WeChat Login Development Guide", open.weixin.qq.com). Errors come as HTTP 200 with an `errcode`.
 */
import type { WechatConfig } from '@tidegate/contract/config/wechat'
import type { Lang } from '@tidegate/contract/enums'
import { OutgoingError, outgoing, PrivateAddressError } from '../../platform/outgoing.ts'

/** Where WeChat is; tests put a simulator there. */
export interface WechatRoots {
  /** What the browser opens. */
  pages: string
  /** What the server calls. */
  api: string
  /** Whether `api` may be an address inside a network. */
  allowPrivate: boolean
}
export const WECHAT_ROOTS: WechatRoots = {
  pages: 'https://open.weixin.qq.com',
  api: 'https://api.weixin.qq.com',
  allowPrivate: false,
}

export interface WechatUser {
  /** Of this application. */
  openid: string
  /** Of all applications of the same operator; null where there is no such union. */
  unionid: string | null
  nickname: string
}

/**
 * `refused`: the code is wrong, used or too old. `settings`: WeChat does not take the application's id or secret. `silent`: no answer, or one
 * that says "later". `nonsense`: an answer that contradicts itself.
 */
export type WechatFault = 'refused' | 'settings' | 'silent' | 'nonsense'
export class WechatError extends Error {
  constructor(
    readonly fault: WechatFault,
    /** WeChat's `errcode`; 0: none. */
    readonly code: number,
    /** WeChat's words. */
    message: string,
  ) {
    super(message)
  }
}

const TIMEOUT_MS = 10_000
const MAX_NICKNAME = 64

export const qrPage = (
  roots: WechatRoots,
  { appid }: Pick<WechatConfig, 'appid'>,
  { redirect, state, lang }: { redirect: string; state: string; lang: Lang },
): string => {
  const url = new URL('/connect/qrconnect', roots.pages)
  url.search = new URLSearchParams({
    appid,
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'snsapi_login',
    state,
    lang: lang === 'zh' ? 'cn' : 'en',
  }).toString()
  url.hash = 'wechat_redirect'
  return url.href
}

/** Codes that are about the application or its secret (WeChat, "Global return codes"). */
const SETTINGS = new Set([40_013, 40_125, 41_002, 41_004, 40_164, 48_001, 50_002])
/** System busy, minute quota reached. */
const LATER = new Set([-1, 45_009, 45_011])

const faultOf = (code: number, first: boolean): WechatFault => {
  if (LATER.has(code)) return 'silent'
  // Invalid credential: of the application at the first call, of the token just given at the second.
  if (SETTINGS.has(code) || (code === 40_001 && first)) return 'settings'
  return 'refused'
}

type Answer = Record<string, unknown>

const objectOf = (text: string): Answer => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Answer
  } catch {
    // Said below.
  }
  throw new WechatError('nonsense', 0, 'the answer is no JSON object')
}

/** WeChat's words, without what it may repeat of the call. */
const wordsOf = (message: unknown, params: Record<string, string>): string => {
  const hidden = [params.secret, params.access_token].filter((text) => text !== undefined && text !== '')
  return hidden
    .reduce<string>((rest, text) => rest.replaceAll(String(text), '******'), String(message ?? ''))
    .slice(0, 200)
}

/** The address holds the secret or a token: it stands in no message. */
const ask = async (roots: WechatRoots, path: string, params: Record<string, string>, first: boolean) => {
  const url = new URL(path, roots.api)
  url.search = new URLSearchParams(params).toString()
  const answer = await outgoing({
    method: 'GET',
    url: url.href,
    timeoutMs: TIMEOUT_MS,
    allowPrivate: roots.allowPrivate,
  }).catch((error: unknown) => {
    if (error instanceof OutgoingError || error instanceof PrivateAddressError)
      throw new WechatError('silent', 0, error.message)
    throw error
  })
  if (answer.status !== 200) throw new WechatError('silent', 0, `HTTP ${answer.status}`)
  const body = objectOf(answer.text)
  const code = Number(body.errcode ?? 0)
  if (code !== 0) throw new WechatError(faultOf(code, first), code, wordsOf(body.errmsg, params))
  return body
}

/** An id as WeChat writes them; undefined when the member is missing or something else. */
const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w-]{1,128}$/.test(value) ? value : undefined

const shown = (nickname: unknown) =>
  [...String(nickname ?? '').replace(/\p{Cc}+/gu, ' ')].slice(0, MAX_NICKNAME).join('').trim()

/** Who has scanned; both answers must agree. WeChat's tokens are kept nowhere. Throws WechatError. */
export const wechatUser = async (
  roots: WechatRoots,
  { appid, appSecret }: WechatConfig,
  code: string,
): Promise<WechatUser> => {
  const form = { appid, secret: appSecret, code, grant_type: 'authorization_code' }
  const granted = await ask(roots, '/sns/oauth2/access_token', form, true)
  const [token, openid] = [granted.access_token, idOf(granted.openid)]
  if (typeof token !== 'string' || token === '' || openid === undefined)
    throw new WechatError('nonsense', 0, 'no token or no openid')
  const user = await ask(roots, '/sns/userinfo', { access_token: token, openid }, false)
  const [one, two] = [idOf(granted.unionid), idOf(user.unionid)]
  if (user.openid !== openid || (one !== undefined && two !== undefined && one !== two))
    throw new WechatError('nonsense', 0, 'the two answers are about different people')
  return { openid, unionid: one ?? two ?? null, nickname: shown(user.nickname) }
}
