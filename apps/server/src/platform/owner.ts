/** Whose things a caller reaches: a customer the own ones, an administrator all. The one place that says so; every query about sites asks it. */
import { type SQL, sql } from 'drizzle-orm'
import type { Caller } from './caller.ts'

/** The customer whose things alone the caller reaches; null = everybody's. */
export const ownerOf = (caller: Pick<Caller, 'kind' | 'id'>): number | null =>
  caller.kind === 'user' ? caller.id : null

/** Condition on the column that names the owner. */
export const within = (owner: number | null, column: SQL): SQL =>
  owner === null ? sql`true` : sql`${column} = ${owner}`

/** `within` for the caller. */
export const reachable = (caller: Pick<Caller, 'kind' | 'id'>, column: SQL): SQL => within(ownerOf(caller), column)

/** A node's answer as the caller may see it: to a customer nodes are numbers, and what goes wrong inside them is the operator's matter. */
export const nodeFor = <R extends { nodeId: number; nodeName: string; error: string }>(
  caller: Pick<Caller, 'kind'>,
  answer: R,
): R => (caller.kind === 'user' ? { ...answer, nodeName: `#${answer.nodeId}`, error: '' } : answer)
