/** Tools of operators. */
import type { ToolNode } from '@tidegate/contract/operations/tools'
import type { Db } from '../../platform/db.ts'
import type { Limiter } from '../../platform/limiter.ts'
import type { Part } from '../../platform/part.ts'
import type { NodeQuestions } from '../node/index.ts'
import { lookupHandlers } from './lookups.ts'
import { memoryHandlers } from './memory.ts'
import { type VariableDeps, variableHandlers } from './variables.ts'

export { createVariableStore, type VariableStore } from './variable-store.ts'

export interface ToolDeps extends VariableDeps {
  db: Db
  limiter: Limiter
  /** Every node that is not revoked. */
  nodes(): Promise<ToolNode[]>
  /** See modules/node/questions.ts. */
  ask: NodeQuestions['ask']
}

export const createToolsModule = (deps: ToolDeps): Part => ({
  name: 'tools',
  handlers: { ...memoryHandlers(deps), ...lookupHandlers(deps), ...variableHandlers(deps) },
  start: () => deps.variables.start(),
  stop: async () => deps.variables.close(),
})
