/** Tools of operators; a node answers at once. */
import type { Steps } from '../walk.ts'

const ENTRY = { id: 'e1', key: 'walk.example', form: 'text', value: '1', masked: false, cut: false, size: 1, ttl: 0 }
const DUG = {
  ...{ server: '192.0.2.53:53', ms: 3, fault: null, status: 'NOERROR', tcp: false, authoritative: false },
  ...{ authenticated: false, answers: [], authority: [] },
}
const PROBED = {
  ...{
    fault: null,
    code: '',
    address: '192.0.2.1',
    port: 443,
    status: 204,
    reason: 'No Content',
    headers: [],
    tls: null,
  },
  ...{ times: { lookup: 1, connect: 2, tls: 3, first: 4, total: 5 }, bytes: 0, cut: false, text: '' },
}

export const tools: Steps = ({ server, got }) => {
  const parts = () => server().built
  /** A node that gives this answer to the next question. */
  const answering = async (answer: unknown) => {
    const { pool } = parts().context.database
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO node (name, group_id, enrolled_at, last_seen) VALUES ('tool-walker', 1, now(), now())
       ON CONFLICT (name) DO UPDATE SET last_seen = now() RETURNING id`,
    )
    got.toolNode = rows[0]?.id ?? 0
    const { questions } = parts().plane.node
    const off = questions.onAsked((nodeId, id) => {
      off()
      void questions.answered(nodeId, { id, answer, fault: null, detail: '' })
    })
  }
  return [
    { id: 'variable.list' },
    { id: 'variable.update', input: () => ({ key: 'control.pollSeconds', value: 6 }), trace: 'both' },
    { id: 'variable.history' },
    { id: 'tools.memoryNodes' },
    {
      id: 'tools.memory',
      input: async () => {
        await answering({ list: [ENTRY], next: '', capacity: 1024, free: 512 })
        return { nodeId: got.toolNode, dict: 'tg_hosts' }
      },
      trace: 'after',
    },
    { id: 'tools.lookupNodes' },
    {
      id: 'tools.dig',
      input: async () => {
        await answering(DUG)
        return { nodeId: got.toolNode, name: 'walk.example', type: 'A' }
      },
      trace: 'after',
    },
    {
      id: 'tools.probe',
      input: async () => {
        await answering(PROBED)
        return { nodeId: got.toolNode, url: 'https://walk.example/' }
      },
      trace: 'after',
    },
  ]
}
