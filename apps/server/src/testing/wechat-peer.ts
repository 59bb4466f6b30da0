/**
 * WeChat's login for websites as its guide describes it, on a free loopback port: the page with the code, the exchange of the code, who it
 * was. Keeps codes single and tokens short, checks what it is sent, and can refuse, lie, fall silent or answer nonsense.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WechatRoots } from '../modules/identity/wechat-api.ts'

export interface WechatPeerOptions {
  appid: string
  secret: string
  /** Name registered with the application; browsers are sent to no other. */
  domain: string
  /** Whether the application belongs to a union: without one nobody has a union id. */
  union?: boolean
  now?: () => number
}

/** What becomes of a call that is right. `silent`: never answered; `cut`: the connection is closed; `liar`: another's openid; `html`: no JSON. */
export type WechatFate = 'ok' | 'silent' | 'cut' | 'liar' | 'html' | { errcode: number } | { status: number }

export interface WechatPeer {
  roots: WechatRoots
  /** Fates of the next calls of the server, in order; then `ok`. */
  fates: WechatFate[]
  /** Paths that the server called, in order. */
  calls: string[]
  /** Who is known to WeChat from now on by another nickname. */
  nicknames: Map<string, string>
  /** Opens the page as a browser does and scans as `person` (null: declines); the query with which the browser is sent back. */
  scan(url: string, person: string | null): Promise<string>
  /** From now on: whether the application belongs to a union. */
  setUnion(union: boolean): void
  close(): Promise<void>
}

const CODE_MS = 300_000
const TOKEN_MS = 7_200_000
const fresh = () => randomBytes(12).toString('hex')

interface Code {
  person: string
  expires: number
  used: boolean
}
interface Token {
  person: string
  expires: number
}

const PEOPLE = ['alice', 'bob', 'carol']
const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

export const startWechatPeer = async (options: WechatPeerOptions): Promise<WechatPeer> => {
  const { appid, secret, domain, now = Date.now } = options
  let union = options.union ?? true
  const codes = new Map<string, Code>()
  const tokens = new Map<string, Token>()
  const fates: WechatFate[] = []
  const calls: string[] = []
  const nicknames = new Map<string, string>()
  const openidOf = (person: string) => `o_${appid.slice(-4)}_${person}`
  const unionOf = (person: string) => (union ? { unionid: `u_${person}` } : {})

  /** Where the browser goes after a scan; null: the page says what is wrong instead. */
  const backTo = (asked: URLSearchParams, person: string | null): string | null => {
    const target = URL.canParse(asked.get('redirect_uri') ?? '') ? new URL(asked.get('redirect_uri') ?? '') : null
    const state = asked.get('state')
    const right =
      asked.get('appid') === appid &&
      asked.get('response_type') === 'code' &&
      asked.get('scope') === 'snsapi_login' &&
      target?.hostname === domain
    if (!right || target === null) return null
    if (person !== null) {
      const code = fresh()
      codes.set(code, { person, expires: now() + CODE_MS, used: false })
      target.searchParams.set('code', code)
    }
    if (state !== null) target.searchParams.set('state', state)
    return target.href
  }

  const page = (response: ServerResponse, asked: URLSearchParams) => {
    const scans = [...PEOPLE, null].map((person) => {
      const href = backTo(asked, person)
      return href === null
        ? ''
        : `<li><a href="${escaped(href)}">${person === null ? 'decline' : `scan as ${person}`}</a></li>`
    })
    const wrong = scans.every((line) => line === '')
    const text = wrong ? '<p>Parameter error: redirect_uri, scope or appid</p>' : `<ul>${scans.join('')}</ul>`
    response
      .writeHead(wrong ? 400 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><title>WeChat</title><h1>WeChat Login</h1>${text}`)
  }

  type Answer = Record<string, unknown>
  const refuse = (errcode: number, errmsg: string): Answer => ({ errcode, errmsg })

  const exchange = (asked: URLSearchParams): Answer => {
    if (asked.get('appid') !== appid) return refuse(40_013, 'invalid appid')
    if (asked.get('secret') !== secret) return refuse(40_001, `invalid credential ${asked.get('secret')}`)
    if (asked.get('grant_type') !== 'authorization_code') return refuse(40_002, 'invalid grant_type')
    const code = asked.get('code') ?? ''
    if (code === '') return refuse(41_008, 'missing code')
    const known = codes.get(code)
    if (!known || known.expires <= now()) return refuse(40_029, 'invalid code')
    if (known.used) return refuse(40_163, 'code been used')
    known.used = true
    const { person } = known
    const token = fresh()
    tokens.set(token, { person, expires: now() + TOKEN_MS })
    return {
      access_token: token,
      expires_in: TOKEN_MS / 1000,
      refresh_token: fresh(),
      openid: openidOf(person),
      scope: 'snsapi_login',
      ...unionOf(person),
    }
  }

  const userinfo = (asked: URLSearchParams): Answer => {
    const known = tokens.get(asked.get('access_token') ?? '')
    if (!known) return refuse(40_001, 'invalid credential, access_token is invalid or not latest')
    if (known.expires <= now()) return refuse(42_001, 'access_token expired')
    const { person } = known
    if (asked.get('openid') !== openidOf(person)) return refuse(40_003, 'invalid openid')
    const nickname = nicknames.get(person) ?? person
    return { openid: openidOf(person), nickname, sex: 0, headimgurl: '', privilege: [], ...unionOf(person) }
  }

  const API: Readonly<Record<string, (asked: URLSearchParams) => Answer>> = {
    '/sns/oauth2/access_token': exchange,
    '/sns/userinfo': userinfo,
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://wechat')
    if (url.pathname === '/connect/qrconnect') return page(response, url.searchParams)
    const run = API[url.pathname]
    if (!run) return void response.writeHead(404).end()
    calls.push(url.pathname)
    const fate = fates.shift() ?? 'ok'
    if (fate === 'silent') return
    if (fate === 'cut') return void request.socket.destroy()
    if (typeof fate === 'object' && 'status' in fate) return void response.writeHead(fate.status).end('{}')
    if (fate === 'html') return void response.writeHead(200).end('<html>maintenance</html>')
    const right = run(url.searchParams)
    const answer =
      fate === 'ok'
        ? right
        : fate === 'liar'
          ? { ...right, openid: openidOf('mallory') }
          : refuse(fate.errcode, 'as told')
    // WeChat says text/plain.
    response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    roots: { pages: root, api: root, allowPrivate: true },
    fates,
    calls,
    nicknames,
    scan: async (url, person) => {
      const reply = await fetch(url)
      if (!reply.ok) throw new Error(await reply.text())
      const back = backTo(new URL(url).searchParams, person)
      return back === null ? '' : new URL(back).search
    },
    setUnion: (next) => {
      union = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
