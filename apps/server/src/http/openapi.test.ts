import { operations } from '@tidegate/contract/operations/index'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { VERSION } from '../version.ts'
import { openApi } from './openapi.ts'

const parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query']),
  required: z.boolean(),
  schema: z.record(z.string(), z.unknown()),
})
const operation = z.strictObject({
  operationId: z.string(),
  tags: z.array(z.string()),
  'x-permission': z.string().optional(),
  'x-effect': z.enum(['read', 'write']),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(parameter).optional(),
  requestBody: z
    .strictObject({ required: z.boolean(), content: z.record(z.string(), z.object({ schema: z.unknown() })) })
    .optional(),
  responses: z.record(z.string().regex(/^\d{3}$/), z.record(z.string(), z.unknown())),
})
const document = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(
    z.string().startsWith('/'),
    z
      .record(z.enum(['get', 'post']), operation)
      .or(z.object({ get: operation.optional(), post: operation.optional() })),
  ),
})

/** Every `$ref` of a value. */
const refsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : refsIn(member),
  )
}

describe('the OpenAPI document', () => {
  const made = openApi(operations, VERSION)

  it('has the form of OpenAPI 3.1', () => {
    const parsed = document.parse(made)
    const all = Object.values(parsed.paths).flatMap((item) => Object.values(item))
    const ids = all.map((op) => op?.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const op of operations) expect(ids).toContain(op.id)
    for (const [path, item] of Object.entries(parsed.paths))
      for (const op of Object.values(item)) {
        const named = [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1])
        const given = (op?.parameters ?? []).filter((p) => p.in === 'path')
        expect(given.map((p) => p.name)).toEqual(named)
        expect(given.every((p) => p.required)).toBe(true)
      }
  })

  it('refers only to components that it has', () => {
    const components = (made as { components: Record<string, Record<string, unknown>> }).components
    const refs = refsIn(made).filter((ref) => ref.startsWith('#/components/'))
    expect(refs.length).toBeGreaterThan(0)
    for (const ref of new Set(refs)) {
      const [, , kind = '', name = ''] = ref.split('/')
      expect(components[kind], ref).toHaveProperty(name)
    }
  })
})
