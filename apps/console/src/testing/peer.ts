/** A server in memory for component tests: answers by the contract's operations, and refuses to give an answer that the contract does not allow. */
import type { Operation } from '@tidegate/contract/operation'
import { type OperationId, type OutputOf, operations } from '@tidegate/contract/operations/index'
import { vi } from 'vitest'

type Input = Record<string, unknown>
type Answers = { [Id in OperationId]?: (input: Input) => OutputOf<Id> | Refusal | Response | OutputOf<Id>[] }

/** An error answer. */
export class Refusal {
  readonly status: number
  readonly body: Record<string, unknown>
  constructor(status: number, body: Record<string, unknown>) {
    this.status = status
    this.body = { code: status, requestId: 'req-1', ...body }
  }
}

export interface Seen {
  id: string
  input: Input
  headers: Headers
}

const matching = (method: string, path: string): { op: Operation; params: Input } | undefined => {
  for (const op of operations) {
    if (op.method !== method && !op.alsoMethods?.includes(method as 'GET' | 'POST')) continue
    const names = [...op.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? '')
    const found = new RegExp(`^${op.path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)
    if (found !== null) return { op, params: Object.fromEntries(names.map((n, i) => [n, found[i + 1]])) }
  }
  return undefined
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

const FILE_HEADERS = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="list.csv"' }

const answer = (op: Operation, given: unknown): Response => {
  if (given instanceof Refusal) return json(given.status, given.body)
  // What stands between may answer in the server's place.
  if (given instanceof Response) return given
  if (op.kind === 'stream') {
    const lines = (given as unknown[]).map((line) => JSON.stringify(op.output.parse(line)))
    return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'application/x-ndjson' } })
  }
  if (op.kind === 'image') return new Response('image', { headers: { 'content-type': 'image/png' } })
  if (op.kind === 'file') return new Response('file', { headers: FILE_HEADERS })
  return json(200, { code: 1, msg: 'ok', ...(op.output.parse(given) as object) })
}

/** Takes fetch's place; gives what was asked, in order. An operation without an answer is a 404 as on the server. */
export const peer = (answers: Answers): { seen: Seen[] } => {
  const seen: Seen[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, window.location.href)
    const found = matching(init.method ?? 'GET', pathname.replace(/^\/(antsxdp|ants-dns-api|api)\//, ''))
    const run = found === undefined ? undefined : answers[found.op.id as OperationId]
    if (found === undefined || run === undefined)
      return json(404, { code: 404, error: 'operation_unknown', msg: 'unknown' })
    const form = init.body instanceof FormData ? Object.fromEntries(init.body) : {}
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Input) : form
    const input = { ...Object.fromEntries(searchParams), ...body, ...found.params }
    seen.push({ id: found.op.id, input, headers: new Headers(init.headers) })
    init.signal?.throwIfAborted()
    return answer(found.op, run(input))
  })
  return { seen }
}
