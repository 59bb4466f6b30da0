/** Parameters of an outside service as a table: form and schema are both made from it. */
import { z } from 'zod'
import { fail } from '../validators.ts'
import { rootAddress } from './record.ts'

export interface Param {
  name: string
  /** `lines`: several lines, e.g. a key in PEM. */
  kind: 'text' | 'lines' | 'address' | 'choice'
  secret?: true
  choices?: readonly string[]
  /** Value that an empty form begins with. */
  preset?: string
  /** May stay empty. */
  optional?: true
  /** Asked for only while another parameter has one of these values. */
  when?: { name: string; is: readonly string[] }
}
type Values = Record<string, string>

/** Whether a parameter counts, given the others' values. */
export const paramShown = (param: Param, values: Readonly<Record<string, unknown>>): boolean =>
  param.when === undefined || param.when.is.includes(String(values[param.when.name] ?? ''))

const MAX = { text: 500, address: 500, lines: 16_384, choice: 64 } as const

const one = (param: Param, value: string, ctx: z.RefinementCtx): string => {
  const at = [param.name]
  const text = value.trim()
  if (text === '' && !param.optional) fail(ctx, 'required', {}, at)
  else if (text.length > MAX[param.kind]) fail(ctx, 'too_long', { max: MAX[param.kind] }, at)
  else if (param.kind === 'choice' && text !== '' && !param.choices?.includes(text))
    fail(ctx, 'not_one_of', { values: (param.choices ?? []).join(', ') }, at)
  else if (param.kind === 'address' && text !== '') {
    const address = rootAddress.safeParse(text)
    if (address.success) return address.data
    fail(ctx, 'web_address', {}, at)
  }
  return text
}

/** All parameters as texts. Those that do not count are emptied, those that count and are not optional must be there. */
export const paramSchema = <const P extends readonly Param[]>(params: P) => {
  type Name = P[number]['name']
  const texts = z.object(Object.fromEntries(params.map((p) => [p.name, z.string().default(p.preset ?? '')])))
  const schema = texts.transform(
    (given, ctx): Values =>
      Object.fromEntries(params.map((p) => [p.name, paramShown(p, given) ? one(p, given[p.name] ?? '', ctx) : ''])),
  )
  return schema as unknown as z.ZodType<{ [N in Name]: string }, { [N in Name]?: string | undefined }>
}

/** Names of the members that are stored sealed. */
export const secretsOf = (params: readonly Param[]): string[] => params.filter((p) => p.secret).map((p) => p.name)

/** Names of the members that say where a service is. */
export const addressesOf = (params: readonly Param[]): string[] =>
  params.filter((p) => p.kind === 'address').map((p) => p.name)
