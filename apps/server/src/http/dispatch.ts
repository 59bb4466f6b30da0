/** One request to one operation: who calls, may they, is the input right, run, put into the envelope. */
import type { ConsoleId, Lang } from '@tidegate/contract/enums'
import type { ErrorKey } from '@tidegate/contract/errors'
import type { PageFlags } from '@tidegate/contract/features'
import { fieldErrors } from '@tidegate/contract/issues'
import type { Operation } from '@tidegate/contract/operation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ActingBy, AllHandlers, Caller, FileBody, ImageBody } from '../platform/caller.ts'
import { AppError } from '../platform/errors.ts'
import { unstorable } from '../platform/storable.ts'
import { authorize } from './authorize.ts'
import { InputError } from './failure.ts'
import { bodyObject, queryReader } from './input.ts'
import { formObject, isForm, streamedForm } from './multipart.ts'
import {
  type Base,
  clientIp,
  consoleFor,
  consoleOf,
  originOf,
  requestLang,
  tokenOf,
  userAgent,
} from './request-meta.ts'
import { ndjson } from './stream.ts'

/** What a valid token stands for. */
export interface Session {
  kind: 'admin' | 'user'
  id: number
  name: string
  superAdmin: boolean
  permissions: ReadonlySet<string>
  unvalidModel: readonly string[]
  sessionId: number
  console: ConsoleId
  apiKey?: boolean
  acting: ActingBy | null
}

export interface DispatchDeps {
  handlers: Partial<AllHandlers>
  /** null: unknown, expired, revoked, or not good from the address `ip`. `looking`: asks only; it does not count as a use that keeps the session alive. */
  authenticate(token: string, ip: string, looking?: boolean): Promise<Session | null>
  /** Whether it is the token of outside monitors. Throws `too_many` when the address asks too often. */
  isMonitor(token: string, ip: string): Promise<boolean>
  defaultLang(): Promise<Lang>
  /** What is sold, linked and installed. */
  features(): Promise<PageFlags>
  /** Whether writes that need room must be refused. */
  diskLow(): boolean
  /** Whether customers may look only, e.g. during maintenance. */
  customersReadOnly(): boolean
  /** Milliseconds between two looks at the login behind an open stream; tests shorten it. */
  recheckMs?: number
}

type AnyHandler = (input: unknown, caller: Caller, signal: AbortSignal) => Promise<unknown>

/** What frees room, or lets a person in to do so, works on a full disk too. */
const WORKS_ON_FULL_DISK = /^(?:auth\.)|\.(?:delete|revoke|password|download|prove|exportTicket|export)$/

/** What a customer does who only looks: goes in and out, has read something, takes a list along. */
const LOOKS = /^(?:auth\.|message\.read$|ownOrder\.read$|export\.)/

/** What customers, and those who want to become one, may not do while they may only look. */
const isCustomersChange = (op: Operation, caller: Caller) =>
  op.effect === 'write' &&
  (op.id.startsWith('register.') || (caller.kind === 'user' && caller.acting === null && !LOOKS.test(op.id)))

/** The session without the permissions that the installation's mode leaves out. */
const inMode = (session: Session, { mode }: PageFlags): Session =>
  mode.permissions.length === 0
    ? session
    : { ...session, permissions: new Set([...session.permissions].filter((p) => !mode.permissions.includes(p))) }

const callerOf = async (
  deps: DispatchDeps,
  op: Operation,
  base: Base,
  request: FastifyRequest,
  installation: PageFlags,
): Promise<Caller> => {
  const meta = {
    lang: requestLang(request, await deps.defaultLang()),
    ip: clientIp(request),
    userAgent: userAgent(request),
    requestId: request.id,
    origin: originOf(request),
  }
  const variant = consoleOf(base, request)
  const token = tokenOf(request)
  const session = token === null ? null : await deps.authenticate(token, meta.ip)
  if (session === null) {
    const monitor = op.audience === 'monitor' && token !== null && (await deps.isMonitor(token, meta.ip))
    return {
      kind: monitor ? 'monitor' : 'anonymous',
      id: 0,
      name: '',
      superAdmin: false,
      permissions: new Set<string>(),
      unvalidModel: [],
      sessionId: 0,
      console: variant ?? 'admin',
      acting: null,
      ...meta,
    }
  }
  const asked = base === '/api/' ? session.console : (variant ?? session.console)
  return { ...inMode(session, installation), console: consoleFor(session.kind, asked), ...meta }
}

const parseInput = (op: Operation, flat: Record<string, unknown>, lang: Lang): unknown => {
  const bad = unstorable(flat)
  if (bad) throw new AppError('invalid_input', { fields: [{ path: bad.join('.'), key: 'invalid' }] })
  const parsed = op.input.safeParse(flat, { reportInput: true })
  if (!parsed.success) throw new InputError(fieldErrors(parsed.error, lang))
  return parsed.data
}

/** Ends when the client is gone or the server stops. */
const signalOf = (reply: FastifyReply, stopping: AbortSignal): AbortSignal => {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, stopping])
}

const RECHECK_MS = 3_000
/** Refusals that end an open stream. */
const ENDS: readonly ErrorKey[] = ['forbidden', 'feature_off']

/** `signal`, and the end of the caller's right to go on: a stream outlives neither the login nor the permission it was opened with. */
const whileAllowed = (deps: DispatchDeps, op: Operation, caller: Caller, token: string | null, signal: AbortSignal) => {
  if (op.audience === 'public' || token === null) return signal
  const over = new AbortController()
  const look = async () => {
    const session = await deps.authenticate(token, caller.ip, true)
    if (session === null) return over.abort()
    const installation = await deps.features()
    authorize(op, { ...caller, ...inMode(session, installation) }, installation)
  }
  // A database that is away for a moment ends nothing; the next look tells.
  const failed = (error: unknown) => void (error instanceof AppError && ENDS.includes(error.key) && over.abort())
  const timer = setInterval(() => void look().catch(failed), deps.recheckMs ?? RECHECK_MS)
  const both = AbortSignal.any([signal, over.signal])
  both.addEventListener('abort', () => clearInterval(timer), { once: true })
  return both
}

/** RFC 6266 with the RFC 8187 form beside a plain one. */
const attachment = (name: string) =>
  `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`

const answer = async (op: Operation, result: unknown, reply: FastifyReply, signal: AbortSignal): Promise<unknown> => {
  reply.header('cache-control', 'no-store')
  if (op.kind === 'image') {
    const image = result as ImageBody
    return reply.type(image.type).send(image.body)
  }
  if (op.kind === 'file') {
    const file = result as FileBody
    reply.type(file.type).header('content-disposition', attachment(file.name))
    if (file.size !== undefined) reply.header('content-length', file.size)
    return reply.send(file.body)
  }
  if (op.kind === 'stream') {
    reply.type('application/x-ndjson; charset=utf-8').header('x-accel-buffering', 'no')
    return reply.send(await ndjson(result as AsyncIterable<unknown>, signal))
  }
  return reply.send({ code: 1, msg: 'success', ...(result as object) })
}

interface Body {
  fields: Record<string, unknown>
  /** Lets go of what was not read of a file that is handed on: who sends it hears the answer only at its end. */
  drain?: () => void
}

/** JSON as it was parsed; a form with a file is read only now, when the caller is known. */
const bodyOf = async (op: Operation, request: FastifyRequest): Promise<Body> => {
  if (!isForm(request)) return { fields: bodyObject(request.body) }
  if (op.body === 'stream') {
    const { fields, file } = await streamedForm(request)
    return { fields, ...(file && { drain: () => void file.on('error', () => {}).resume() }) }
  }
  if (op.body !== 'multipart') throw new AppError('malformed_json')
  return { fields: await formObject(request) }
}

/** The route handler of one row under one base. Throws; the server's error handler puts it into words. */
export const dispatcher = (op: Operation, base: Base, deps: DispatchDeps, stopping: AbortSignal) => {
  const readQuery = queryReader(op)
  // The table types each handler by its own row; here rows are walked, and the row's own schema has made the input.
  const handler = (deps.handlers as unknown as Record<string, AnyHandler | undefined>)[op.id]
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const installation = await deps.features()
    const caller = await callerOf(deps, op, base, request, installation)
    authorize(op, caller, installation)
    if (deps.customersReadOnly() && isCustomersChange(op, caller)) throw new AppError('customers_read_only')
    const { fields, drain } = await bodyOf(op, request)
    try {
      const flat = { ...readQuery(request.query as Record<string, unknown>), ...fields, ...(request.params as object) }
      const input = parseInput(op, flat, caller.lang)
      if (handler === undefined) throw new AppError('unavailable')
      if (op.effect === 'write' && deps.diskLow() && !WORKS_ON_FULL_DISK.test(op.id)) throw new AppError('low_disk')
      const open = signalOf(reply, stopping)
      const signal = op.kind === 'stream' ? whileAllowed(deps, op, caller, tokenOf(request), open) : open
      return await answer(op, await handler(input, caller, signal), reply, signal)
    } finally {
      drain?.()
    }
  }
}
