/** An installation with nodes, and monitors that look at them, for tests. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import { expect } from 'vitest'
import { adminToken, call, type Reply, testServer } from '../../testing/app.ts'

type Stable = OutputOf<'dispatch.stable'>['data']
type History = OutputOf<'dispatch.history'>['data']

export interface Probe {
  node: number
  port: number
  ok: boolean
  ms: number
  error?: string
  at: number
}

export const monitoring = async () => {
  const server = await testServer()
  const admin = await adminToken(server)
  const { pool } = server.built.context.database
  const shown = await call(server, 'sys/cdnsys/auth/check/key/show', { method: 'GET', token: admin })
  const token = String(shown.body.token)
  const path = new URL(String(shown.body.importUrl)).pathname

  /** An enrolled node, seen just now. */
  const addNode = async (name: string, address: string, group = 1): Promise<number> => {
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO node (name, group_id, address, enrolled_at, last_seen) VALUES ($1, $2, $3, now(), now()) RETURNING id`,
      [name, group, address],
    )
    return Number(rows[0]?.id)
  }
  const bring = (monitor: string, results: Probe[], lang = 'en', withToken = token): Promise<Reply> =>
    call(server, path, { token: withToken, body: { monitor, results }, headers: { lang } })
  const probe = (node: number, ok = true, more: Partial<Probe> = {}): Probe => ({
    ...{ node, port: 80, ok, ms: 12, at: server.clock.now() },
    ...(!ok && { error: 'timeout' }),
    ...more,
  })
  /** Rounds of ten seconds; in each every monitor says of every node whether it answered, at both ports. */
  const rounds = async (count: number, says: Record<string, Record<number, boolean>>) => {
    for (let i = 0; i < count; i++) {
      server.clock.advance(10)
      for (const [monitor, nodes] of Object.entries(says)) {
        const results = Object.entries(nodes).flatMap(([node, ok]) =>
          [80, 443].map((port) => probe(Number(node), ok, { port })),
        )
        expect((await bring(monitor, results)).status).toBe(200)
      }
    }
  }
  const stable = async (input: object = {}) => {
    const reply = await call(server, 'sys/cdnsys/auth/group/node/stable/infos', { token: admin, body: input })
    expect(reply.status).toBe(200)
    return reply.body.data as Stable
  }
  const history = async (id: number) => {
    const body = { id }
    const reply = await call(server, 'sys/cdnsys/auth/group/node/stable/history', { token: admin, body })
    expect(reply.status).toBe(200)
    return reply.body.data as History
  }
  return {
    server,
    admin,
    token,
    path,
    pool,
    addNode,
    bring,
    probe,
    rounds,
    stable,
    history,
    judge: server.built.monitor.judge,
  }
}
export type Monitoring = Awaited<ReturnType<typeof monitoring>>

/** What was put into the queue, oldest first. */
export const notices = async ({ pool }: Monitoring): Promise<string[]> => {
  const { rows } = await pool.query<{ event: string; channel: string; address: string; vars: { node: string } }>(
    `SELECT event, channel, address, vars FROM notice ORDER BY id`,
  )
  return rows.map((one) => `${one.event} ${one.vars.node} ${one.channel} ${one.address}`)
}
