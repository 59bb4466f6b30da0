/** Subcommands of the server's program about nodes. */
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db.ts'
import type { Command } from '../../platform/part.ts'
import { row, rows } from '../../platform/query.ts'
import type { Ca } from './ca.ts'
import { ensureNode, issueToken } from './enrol.ts'
import { type NodeRecord, presentNode, SELECT_NODE } from './present.ts'

export interface NodeCommandDeps {
  db: Db
  ca(): Promise<Ca>
  agentUrl(): string
}

/**
 * `enroll-token --name NAME [--group ID] [--replace]` prints JSON {nodeId, token, caSha256, agentUrl}. A node that is enrolled
 * already gets an empty token, unless --replace lets it enrol anew (its old certificate dies when it does).
 * `node-status [--json]` prints all nodes.
 */
export const nodeCommands = (deps: NodeCommandDeps): Record<string, Command> => ({
  'enroll-token': (args, print) => enrollToken(deps, args, print),
  'node-status': (args, print) => nodeStatus(deps, args, print),
})

const enrollToken: (deps: NodeCommandDeps, ...rest: Parameters<Command>) => Promise<number> = async (
  { db, ca, agentUrl },
  args,
  print,
) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      name: { type: 'string', default: 'local' },
      group: { type: 'string', default: '1' },
      replace: { type: 'boolean', default: false },
    },
  })
  const groupId = Number(values.group)
  if (!Number.isSafeInteger(groupId) || !(await row(db, sql`SELECT id FROM node_group WHERE id = ${groupId}`))) {
    print(JSON.stringify({ error: 'no such group' }))
    return 2
  }
  const caSha256 = (await ca()).sha256
  const answer = await db.transaction(async (tx) => {
    const node = await ensureNode(tx, values.name, groupId)
    const token = node.enrolled && !values.replace ? '' : (await issueToken(tx, null, node.id, groupId)).token
    return { nodeId: node.id, token, caSha256, agentUrl: agentUrl() }
  })
  print(JSON.stringify(answer))
  return 0
}

const nodeStatus: (deps: NodeCommandDeps, ...rest: Parameters<Command>) => Promise<number> = async (
  { db },
  args,
  print,
) => {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } })
  const nodes = (await rows<NodeRecord>(db, sql`${SELECT_NODE} ORDER BY n.id`)).map(presentNode)
  if (values.json) print(JSON.stringify(nodes))
  else
    for (const n of nodes)
      print([n.id, n.name, n.state, `${n.appliedRevision}/${n.desiredRevision}`, n.alerts.join(',')].join('\t'))
  return 0
}
