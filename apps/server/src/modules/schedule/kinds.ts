/** Kinds of tasks as the console sees them. */
import type { TaskField, TaskKindRow } from '@tidegate/contract/operations/schedule'
import { z } from 'zod'
import { fieldError } from '../../platform/errors.ts'
import type { TaskKind } from '../../platform/task.ts'

/** What a kind is called; its own name when this release does not know it. */
export const titleOf = (kinds: readonly TaskKind[], kind: string): { zh: string; en: string } =>
  kinds.find((one) => one.kind === kind)?.title ?? { zh: kind, en: kind }

/** Throws at the field `kind` for one that no module registered. */
export const kindNamed = (kinds: readonly TaskKind[], kind: string): TaskKind => {
  const found = kinds.find((one) => one.kind === kind)
  if (!found) throw fieldError('kind', 'not_one_of', { values: kinds.map((one) => one.kind).join(', ') })
  return found
}

interface Property {
  type?: string
  minimum?: number
  maximum?: number
  items?: Property
}
const TYPES: Readonly<Record<string, TaskField['type']>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  string: 'text',
  array: 'numbers',
}

/** The parameters of a kind, from its schema; throws for a type that no form has. */
export const fieldsOf = ({ kind, params, fields }: TaskKind): TaskField[] => {
  const { properties = {} } = z.toJSONSchema(params, { io: 'input' }) as { properties?: Record<string, Property> }
  return Object.entries(properties).map(([name, property]) => {
    const type = TYPES[property.type ?? '']
    const title = fields[name]
    if (type === undefined || title === undefined) throw new Error(`task ${kind}: no form for the parameter ${name}`)
    const { minimum, maximum } = property.items ?? property
    return { name, title, type, min: minimum ?? null, max: maximum ?? null }
  })
}

export const presentKind = (kind: TaskKind): TaskKindRow => ({
  ...{ kind: kind.kind, title: kind.title, about: kind.about, cron: kind.cron },
  ...{ timeout: kind.timeout, overlap: kind.overlap, lost: kind.lost },
  fields: fieldsOf(kind),
  params: kind.params.parse({}),
})
