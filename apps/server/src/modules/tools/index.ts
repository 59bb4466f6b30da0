/** Tools of operators. */
import type { ToolNode } from '@tidegate/contract/operations/tools'
import type { Db } from '../../platform/db.ts'
import type { Limiter } from '../../platform/limiter.ts'
import type { Part } from '../../platform/part.ts'
import type { NodeQuestions } from '../node/index.ts'
import { memoryHandlers } from './memory.ts'

export interface ToolDeps {
  db: Db
  limiter: Limiter
  /** Every node that is not revoked. */
  nodes(): Promise<ToolNode[]>
  /** See modules/node/questions.ts. */
  ask: NodeQuestions['ask']
}

export const createToolsModule = (deps: ToolDeps): Part => ({
  name: 'tools',
  handlers: { ...memoryHandlers(deps) },
})
