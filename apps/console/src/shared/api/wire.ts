/**
 * How each operation travels, from the contract's table. The build puts the finished table in this module's place (vite.config.ts), so that the login
 * does not carry the schemas.
 */
import type { Operation } from '@tidegate/contract/operation'
import { type OperationId, operations } from '@tidegate/contract/operations/index'

export type Wire = Pick<Operation, 'method' | 'alsoMethods' | 'path' | 'effect'>

const table: Record<string, Wire> = Object.fromEntries(
  operations.map(({ id, method, alsoMethods, path, effect }) => [id, { method, alsoMethods, path, effect }]),
)

export const wireOf = (id: OperationId): Wire => {
  const wire = table[id]
  if (wire === undefined) throw new Error(`no operation ${id}`)
  return wire
}
