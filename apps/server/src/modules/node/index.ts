/** Nodes: trust, state, service groups. */

import type { AckReport } from '@tidegate/contract/node/protocol'
import { sql } from 'drizzle-orm'
import type { Bus } from '../../platform/bus.ts'
import type { Clock } from '../../platform/clock.ts'
import type { WithConfigChange } from '../../platform/config-change.ts'
import type { Database } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { createNodeAuth } from './auth.ts'
import type { Ca } from './ca.ts'
import { nodeCommands } from './commands.ts'
import { createEnrolment } from './enrol.ts'
import { nodeExport } from './export.ts'
import { groupHandlers } from './groups.ts'
import { installCommand, openNodeFiles } from './node-files.ts'
import { nodeHandlers } from './operations.ts'
import { type NodeRecord, presentNode, SELECT_NODE } from './present.ts'
import { createQuestions } from './questions.ts'
import { createStatuses } from './status.ts'

export type { Ca } from './ca.ts'
export { openCa } from './ca.ts'
export type { NodeQuestions } from './questions.ts'
export { keepNodeTrust } from './restored.ts'

export interface NodeModuleDeps {
  database: Database
  bus: Bus
  withConfigChange: WithConfigChange
  clock: Clock
  log: Log
  /** openCa, once: the database may not be there when modules are built. */
  ca(): Promise<Ca>
  /** TIDEGATE_NODE_FILES */
  nodeFilesDir: string | undefined
  /** Address of the agents' port as nodes reach it, e.g. https://cdn.example:8444; known once the port is open. */
  agentUrl(): string
  /** How long an operator waits for a node's answer. */
  answerSeconds(): number
}

export const createNodeModule = (deps: NodeModuleDeps) => {
  const { db, pool } = deps.database
  const files = openNodeFiles(deps.nodeFilesDir)
  const auth = createNodeAuth(pool, deps.bus)
  const statuses = createStatuses(pool, deps.clock, deps.log)
  return {
    handlers: {
      ...groupHandlers({ db, withConfigChange: deps.withConfigChange }),
      ...nodeHandlers({
        db,
        installCommand: async (token) => {
          const command = await installCommand(files, deps.agentUrl(), (await deps.ca()).sha256, token)
          if (command === null) throw new AppError('unavailable')
          return command
        },
      }),
    },
    /** Every node that is not revoked, as the console sees it. */
    summaries: async () =>
      (await rows<NodeRecord>(db, sql`${SELECT_NODE} WHERE n.revoked_at IS NULL ORDER BY n.id`)).map(presentNode),
    exports: [nodeExport],
    commands: nodeCommands({ db, ca: deps.ca, agentUrl: deps.agentUrl }),
    ca: deps.ca,
    auth,
    enrolment: createEnrolment(db, deps.ca),
    statuses,
    files,
    questions: createQuestions({ db, bus: deps.bus, answerSeconds: deps.answerSeconds }),
    /** A node claimed a revision that it was never sent: kept in the audit log and shown on the node for a day. */
    reportLie: (nodeId: number, report: AckReport, ip: string) =>
      db.transaction(async (tx) => {
        deps.log.warn({ nodeId, revision: report.revision, tried: report.tried, ip }, 'lying node')
        await tx.execute(sql`UPDATE node SET lied_at = now() WHERE id = ${nodeId}`)
        const after = { revision: report.revision, tried: report.tried, scope: report.scope, ip }
        await audit(tx, null, { action: 'node.lyingAck', target: `node ${nodeId}`, after })
      }),
    close: async () => {
      auth.close()
      await statuses.close()
    },
  }
}
export type NodeModule = ReturnType<typeof createNodeModule>
