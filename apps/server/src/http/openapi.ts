/** The OpenAPI 3.1 document, made from the table of operations. */
import { API_BASES } from '@tidegate/contract/enums'
import { ERRORS } from '@tidegate/contract/errors'
import type { Operation } from '@tidegate/contract/operation'
import { z } from 'zod'

type Json = Record<string, unknown>

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' })
  return rest
}

const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? '')

const parameters = (path: string, properties: Json, required: string[], inQuery: boolean) => {
  const inPath = pathNames(path)
  const one = (name: string, where: 'path' | 'query') => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: properties[name] ?? {},
  })
  const query = inQuery ? Object.keys(properties).filter((name) => !inPath.includes(name)) : []
  return [...inPath.map((name) => one(name, 'path')), ...query.map((name) => one(name, 'query'))]
}

const CONTENT_TYPES = {
  image: 'image/*',
  file: 'application/octet-stream',
  stream: 'application/x-ndjson',
  json: 'application/json',
}

const bodyType = (op: Operation) => (op.body !== undefined ? 'multipart/form-data' : 'application/json')

const okBody = (op: Operation): Json => {
  if (op.kind === 'image') return { type: 'string', contentMediaType: 'image/*' }
  if (op.kind === 'file') return { type: 'string', contentMediaType: 'application/octet-stream' }
  const output = jsonSchema(op.output, 'output')
  return op.kind === 'stream' ? output : { allOf: [{ $ref: '#/components/schemas/Envelope' }, output] }
}

const responses = (op: Operation): Json => {
  const failure = (status: number) => ({ $ref: `#/components/responses/E${status}` })
  const statuses = new Set<number>([400, 413, 500, 503])
  if (op.audience !== 'public') for (const status of [401, 403]) statuses.add(status)
  if (op.effect === 'write') for (const status of [409, 429]) statuses.add(status)
  if (pathNames(op.path).length > 0 || op.effect === 'write') statuses.add(404)
  const sorted = [...statuses].sort((a, b) => a - b)
  return {
    '200': { description: 'OK', content: { [CONTENT_TYPES[op.kind]]: { schema: okBody(op) } } },
    ...Object.fromEntries(sorted.map((status) => [String(status), failure(status)])),
  }
}

const operationObject = (op: Operation, method: 'GET' | 'POST', path: string, suffix: string): Json => {
  const input = jsonSchema(op.input, 'input')
  const properties = (input.properties ?? {}) as Json
  const required = (input.required ?? []) as string[]
  const params = parameters(path, properties, required, method === 'GET')
  const inPath = pathNames(path)
  const bodyNames = Object.keys(properties).filter((name) => !inPath.includes(name))
  const schema = {
    ...input,
    properties: Object.fromEntries(bodyNames.map((name) => [name, properties[name]])),
    required: required.filter((name) => !inPath.includes(name)),
  }
  return {
    operationId: op.id + suffix,
    tags: [op.id.split('.')[0]],
    ...(op.permission && { 'x-permission': op.permission }),
    'x-effect': op.effect,
    security: op.audience === 'public' ? [] : [{ token: [] }],
    ...(params.length > 0 && { parameters: params }),
    ...(method === 'POST' &&
      bodyNames.length > 0 && {
        requestBody: { required: schema.required.length > 0, content: { [bodyType(op)]: { schema } } },
      }),
    responses: responses(op),
  }
}

const paths = (operations: readonly Operation[]): Json => {
  const all: Record<string, Json> = {}
  for (const op of operations)
    [op.path, ...(op.aliases ?? [])].forEach((path, p) => {
      for (const method of [op.method, ...(op.alsoMethods ?? [])]) {
        const suffix = `${p > 0 ? `.alias${p}` : ''}${method === op.method ? '' : `.${method.toLowerCase()}`}`
        const item = all[`/${path}`] ?? {}
        item[method.toLowerCase()] = operationObject(op, method, path, suffix)
        all[`/${path}`] = item
      }
    })
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const errorResponses = (): Json => {
  const statuses = [...new Set(Object.values(ERRORS).map((row) => row.status))].sort((a, b) => a - b)
  const keysOf = (status: number) =>
    Object.entries(ERRORS)
      .filter(([, row]) => row.status === status)
      .map(([key]) => key)
  return Object.fromEntries(
    statuses.map((status) => [
      `E${status}`,
      {
        description: keysOf(status).join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

const errorSchema = {
  type: 'object',
  required: ['code', 'error', 'msg', 'requestId'],
  properties: {
    code: { type: 'integer', description: 'The same number as the HTTP status.' },
    error: { type: 'string', enum: Object.keys(ERRORS) },
    msg: { type: 'string', description: "Text in the caller's language (header lang, else Accept-Language)." },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'msg'],
        properties: { path: { type: 'string' }, msg: { type: 'string' } },
      },
    },
    captchaRequired: { type: 'boolean' },
    requestId: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  },
}

/** The whole document. `version`: of the product. */
export const openApi = (operations: readonly Operation[], version: string): Json => ({
  openapi: '3.1.0',
  info: { title: 'Tidegate', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  servers: API_BASES.map((base) => ({ url: base.slice(0, -1) })),
  paths: paths(operations),
  components: {
    securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'token' } },
    schemas: {
      Envelope: {
        type: 'object',
        required: ['code', 'msg'],
        properties: { code: { const: 1 }, msg: { type: 'string' } },
      },
      Error: errorSchema,
    },
    responses: errorResponses(),
  },
})
