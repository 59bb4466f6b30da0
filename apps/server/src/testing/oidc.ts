/** Starts the OpenID provider of oidc-provider.mjs, and goes through its login as a browser does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface TestProvider {
  issuer: string
  /** Logs in there as `account`; the query with which the browser is sent back. */
  visit(url: string, account: string): Promise<string>
  close(): Promise<void>
}

/** A browser's cookies of one host. */
const jar = () => {
  const held = new Map<string, string>()
  return async (url: string, init: RequestInit = {}) => {
    const cookie = [...held].map(([k, v]) => `${k}=${v}`).join('; ')
    const reply = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') held.delete(name)
      else held.set(name, value)
    }
    return reply
  }
}

const MOST_STEPS = 12

const visit = async (start: string, account: string, redirect: string): Promise<string> => {
  const go = jar()
  let url = start
  let reply = await go(url)
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const location = reply.headers.get('location')
    if (location !== null) {
      url = new URL(location, url).href
      if (url.startsWith(redirect)) return new URL(url).search
      reply = await go(url)
      continue
    }
    // A page with a form: the login, then the consent.
    const page = await reply.text()
    const action = /action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
    if (action === undefined || prompt === undefined) throw new Error(`no form at ${url}: ${page.slice(0, 500)}`)
    const body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: account, password: 'x' }) })
    reply = await go(new URL(action, url).href, { method: 'POST', body })
  }
  throw new Error(`the provider never sent back: ${url}`)
}

export const startOidcProvider = async (redirect: string, secret: string): Promise<TestProvider> => {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../test/stand-ins/oidc-provider.mjs'), redirect, secret],
    { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] },
  )
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const issuer = line.toString().trim()
  return {
    issuer,
    visit: (url, account) => visit(url, account, redirect),
    close: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}
