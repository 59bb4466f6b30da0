/** Makes the one flat object that an operation's schema parses: query, JSON body and path parameters (the path wins). */
import type { Operation } from '@tidegate/contract/operation'
import { z } from 'zod'
import { AppError } from '../platform/errors.ts'

type Flat = Record<string, unknown>
type Convert = (value: unknown) => unknown

const BOOLEANS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }
const toBoolean: Convert = (v) => (typeof v === 'string' ? (BOOLEANS[v] ?? v) : v)
const toArray: Convert = (v) => (typeof v === 'string' ? v.split(',') : v)

const unwrap = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrap(schema.unwrap())
    : schema

/** A query carries text only: how the text of each member becomes what the schema takes. */
export const queryReader = (op: Operation): ((query: Flat) => Flat) => {
  const shape: Record<string, unknown> = op.input instanceof z.ZodObject ? op.input.shape : {}
  const converters = new Map<string, Convert>()
  for (const [name, schema] of Object.entries(shape)) {
    const inner = unwrap(schema)
    if (inner instanceof z.ZodBoolean) converters.set(name, toBoolean)
    if (inner instanceof z.ZodArray) converters.set(name, toArray)
  }
  return (query) =>
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, converters.get(name)?.(value) ?? value]))
}

/** Body of the request as an object; nothing sent is the empty object. */
export const bodyObject = (body: unknown): Flat => {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) throw new AppError('malformed_json')
  return body as Flat
}

/** Parses a JSON body; an empty one is undefined. */
export const parseJson = (text: string, contentType: string | undefined): unknown => {
  if (text.trim() === '') return undefined
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType ?? '')) throw new AppError('malformed_json')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('malformed_json', { cause })
  }
}
