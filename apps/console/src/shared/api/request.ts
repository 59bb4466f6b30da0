/** An operation and its input -> the HTTP request. Pure. */
import type { Wire } from './wire.ts'

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: string
  body: string | undefined
}

/** A write goes as POST where the operation takes it, so that no cache or prefetch repeats it. */
const methodOf = (op: Wire) => (op.effect === 'write' && op.alsoMethods?.includes('POST') ? 'POST' : op.method)

/** Path parameters are taken out of the input; the rest is the query of a GET or the JSON body of a POST. */
export const httpRequest = (base: string, op: Wire, input: Record<string, unknown>): HttpRequest => {
  const rest = { ...input }
  const path = op.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (value === undefined || value === '') throw new Error(`no ${name} for ${op.path}`)
    return encodeURIComponent(String(value))
  })
  const method = methodOf(op)
  if (method === 'POST') return { method, url: base + path, body: JSON.stringify(rest) }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
  }
  const text = query.toString()
  return { method, url: base + path + (text === '' ? '' : `?${text}`), body: undefined }
}
