/** Tools of operators; a node answers at once. */
import type { Steps } from '../walk.ts'

const ENTRY = { id: 'e1', key: 'walk.example', form: 'text', value: '1', masked: false, cut: false, size: 1, ttl: 0 }

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
  ]
}
