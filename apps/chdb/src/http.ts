import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import type { Engine, Statement } from './engine.ts'
import { fromEngine, storeException } from './exception.ts'
import { authorize, type Credentials, formatOf, onlyReads, statementOf, takesRows } from './request.ts'
import { chunksOf } from './rows.ts'

const QUERY_BYTES = 16 * 1024 * 1024
const compress = promisify(gzip)

interface Summary {
  read_rows: number
  read_bytes: number
  written_rows: number
  written_bytes: number
  result_bytes: number
  elapsed_ns: number
}

/** The part of ClickHouse's HTTP interface that @clickhouse/client uses, in front of the engine. */
export function makeServer(engine: Engine, credentials: Credentials): Server {
  const server = createServer((request, response) => {
    handle(engine, credentials, request, response).catch((error: unknown) => answerError(request, response, error))
  })
  server.keepAliveTimeout = 30_000
  return server
}

async function handle(
  engine: Engine,
  credentials: Credentials,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://store')
  if (url.pathname === '/ping') {
    response.writeHead(200, { 'content-type': 'text/plain; charset=UTF-8' }).end('Ok.\n')
    return
  }
  response.setHeader('X-ClickHouse-Query-Id', url.searchParams.get('query_id') ?? randomUUID())
  authorize(request, url, credentials)
  if (url.pathname !== '/') throw storeException(36, 'BAD_ARGUMENTS', `There is no ${url.pathname}`)
  const statement = statementOf(url)
  const body = bodyOf(request)
  if (request.method === 'POST' && takesRows(statement.sql)) {
    return answer(request, response, statement, await insertRows(engine, statement, body))
  }
  const posted = request.method === 'POST' ? await textOf(body) : ''
  const full = { ...statement, sql: [statement.sql, posted].filter((part) => part !== '').join('\n') }
  if (full.sql.trim() === '') throw storeException(62, 'SYNTAX_ERROR', 'Empty query')
  if (request.method !== 'POST' && !onlyReads(full.sql)) {
    throw storeException(164, 'READONLY', 'Cannot execute this query in readonly mode: use POST')
  }
  const outcome = await engine.query(full, () => response.destroyed)
  const summary = {
    read_rows: outcome.rowsRead,
    read_bytes: outcome.bytesRead,
    written_rows: 0,
    written_bytes: 0,
    result_bytes: outcome.bytes.length,
    elapsed_ns: Math.round(outcome.elapsed * 1e9),
  }
  await answer(request, response, full, summary, Buffer.from(outcome.bytes))
}

async function insertRows(engine: Engine, statement: Statement, body: Readable): Promise<Summary> {
  const summary = { read_rows: 0, read_bytes: 0, written_rows: 0, written_bytes: 0, result_bytes: 0, elapsed_ns: 0 }
  let index = 0
  for await (const chunk of chunksOf(body, formatOf(statement.sql) ?? '')) {
    const done = await engine.insert(forChunk(statement, index++), chunk)
    summary.read_bytes += chunk.length
    summary.read_rows += done.rowsWritten
    summary.written_rows += done.rowsWritten
    summary.written_bytes += done.bytesWritten
    summary.elapsed_ns += Math.round(done.elapsed * 1e9)
  }
  return summary
}

/** Pieces of one request are different inserts: each gets its own deduplication token. */
function forChunk(statement: Statement, index: number): Statement {
  const token = statement.settings.get('insert_deduplication_token')
  if (!token || index === 0) return statement
  return {
    ...statement,
    settings: new Map([...statement.settings, ['insert_deduplication_token', `${token}-${index}`]]),
  }
}

function bodyOf(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return request
  if (encoding !== 'gzip') throw storeException(48, 'NOT_IMPLEMENTED', `Content-Encoding ${encoding} is not supported`)
  const plain = createGunzip()
  request.on('error', (error) => plain.destroy(error))
  return request.pipe(plain)
}

async function textOf(body: Readable): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length
    if (size > QUERY_BYTES) throw storeException(62, 'SYNTAX_ERROR', `Query is longer than ${QUERY_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  statement: Statement,
  summary: Summary,
  bytes: Buffer = Buffer.alloc(0),
): Promise<void> {
  const format = formatOf(statement.sql) ?? statement.format
  response.setHeader('X-ClickHouse-Format', format)
  response.setHeader(
    'X-ClickHouse-Summary',
    JSON.stringify(summary, (_, v) => (typeof v === 'number' ? String(v) : v)),
  )
  response.setHeader('Content-Type', format.startsWith('JSON') ? 'application/json; charset=UTF-8' : 'text/plain')
  const url = new URL(request.url ?? '/', 'http://store')
  const wanted = url.searchParams.get('enable_http_compression') === '1'
  if (wanted && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') && bytes.length > 1_024) {
    response.setHeader('Content-Encoding', 'gzip')
    response.writeHead(200).end(await compress(bytes, { level: 1 }))
  } else {
    response.setHeader('Content-Length', bytes.length)
    response.writeHead(200).end(bytes)
  }
}

function answerError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const exception = fromEngine(error)
  // What is left of a refused body is not read: the connection cannot be used again.
  if (!request.complete) response.setHeader('Connection', 'close')
  response.removeHeader('Content-Encoding')
  response.writeHead(exception.status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(exception.code),
  })
  response.end(`${exception.message}\n`)
}
