import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * What a newcomer looks at once `npm start -- --demo` says that it runs: the node is green in the console, and the demo
 * site comes through the edge, at last out of its cache. `printed` is what was on the terminal; the password may be
 * known from an earlier start. Resolves with that password; rejects after a minute with what was seen instead.
 */
export async function lookAround(printed, knownPassword) {
  const found = (pattern) => pattern.exec(printed)?.[1]
  const console = found(/console\s+(http:\S+)\/admin\//)
  const edge = found(/edge node\s+(http:\S+)/)
  const password = found(/password: (\S+)/) ?? knownPassword
  if (!console || !edge || !password) throw new Error('the addresses and the password are not on the terminal')
  const call = (path, body, token = '') => post(`${console}/antsxdp/${path}`, body, token)
  const { token } = await call('sys/login', { username: 'admin', password })
  await until('the node is green', async () => {
    const { list } = (await call('sys/cdn/node/list', {}, token)).data
    return { ok: list.length === 1 && list[0].state === 'online', seen: JSON.stringify(list) }
  })
  await until('the demo site is served from the cache', async () => {
    const { status, headers, text } = await ask(edge, { host: 'demo.tidegate.test' })
    const served = status === 200 && text.includes('<html') && headers['x-cache'] === 'HIT'
    return { ok: served, seen: `${status} ${headers['x-cache']} ${text.slice(0, 200)}` }
  })
  return password
}

async function until(what, look) {
  const deadline = Date.now() + 60_000
  for (;;) {
    const { ok, seen } = await look()
    if (ok) return
    if (Date.now() > deadline) throw new Error(`not so after a minute: ${what}; seen: ${seen}`)
    await delay(100)
  }
}

async function post(url, body, token) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify(body),
  })
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return await response.json()
}

/** Not fetch: it does not let the host be chosen. */
async function ask(url, headers) {
  return await new Promise((resolve, reject) => {
    const asked = get(url, { headers, agent: false, timeout: 10_000 }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    asked.on('timeout', () => asked.destroy(new Error(`${url} does not answer`)))
    asked.on('error', reject)
  })
}
