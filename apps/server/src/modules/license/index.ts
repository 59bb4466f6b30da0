/** The system license. It says who supports the installation and what was agreed; nothing depends on it and nothing is sent anywhere. */
import type { KeyObject } from 'node:crypto'
import type { OutputOf } from '@tidegate/contract/operations/index'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Part } from '../../platform/part.ts'
import { audit } from '../audit/index.ts'
import { licenseCommands } from './command.ts'
import { daysLeft, keyName, type LicensePayload, readLicense, stateOf, supplierKey } from './file.ts'
import { type StoredLicense, systemLicense } from './schema.ts'

type Data = OutputOf<'license.info'>['data']
interface Count {
  used: number
  active: number
}

export interface LicenseDeps {
  db: Db
  clock: Clock
  /** Public keys of suppliers: Ed25519, SPKI in base64. */
  keys: readonly string[]
  product: Omit<Data['product'], 'uptime' | 'node'>
  /** What the installation holds, asked for anew each time. */
  counts: { nodes(): Promise<Count>; sites(): Promise<Count>; customers(): Promise<Count> }
  database(): Promise<Data['database']>
  disk(): Data['disk']
}

const theOne = async (on: Db | Tx): Promise<StoredLicense> => {
  const [found] = await on.select().from(systemLicense)
  if (!found) throw new Error('the table system_license has no row')
  return found
}

/** Of the stored file: what it says and what it is good for at present. */
const held = (deps: LicenseDeps, keys: readonly KeyObject[], row: StoredLicense) => {
  if (row.file === null) return { state: 'community' as const, payload: null }
  const read = readLicense(row.file, keys)
  if ('fault' in read) return { state: 'forged' as const, payload: null }
  return { state: stateOf(read.payload, row.installationId, deps.clock.now()), payload: read.payload }
}

const signedPart = (payload: LicensePayload, row: StoredLicense, now: number): NonNullable<Data['license']> => ({
  id: payload.id,
  holder: payload.holder,
  supplier: payload.supplier,
  contact: payload.contact,
  issued: payload.issued,
  until: payload.until ?? '',
  daysLeft: daysLeft(payload, now),
  installation: payload.installation ?? '',
  addedTime: row.addedAt?.toISOString() ?? '',
  addedBy: row.addedBy,
})

const info = async (deps: LicenseDeps, keys: readonly KeyObject[]): Promise<Data> => {
  const { counts, clock } = deps
  const [row, nodes, sites, customers, database] = await Promise.all([
    theOne(deps.db),
    counts.nodes(),
    counts.sites(),
    counts.customers(),
    deps.database(),
  ])
  const { state, payload } = held(deps, keys, row)
  // What was agreed for another place, or for a term that is over, is not agreed here and now.
  const limits = state === 'valid' ? (payload?.limits ?? {}) : {}
  return {
    state,
    license: payload && signedPart(payload, row, clock.now()),
    suppliers: keys.map(keyName),
    nodes: { ...nodes, limit: limits.nodes ?? null },
    sites: { ...sites, limit: limits.sites ?? null },
    customers: { ...customers, limit: limits.customers ?? null },
    installation: { id: row.installationId, since: row.since.toISOString() },
    product: { ...deps.product, node: process.version, uptime: Math.round(process.uptime()) },
    database,
    disk: deps.disk(),
  }
}

/** The file's content if it may be used here; throws what is wrong with it. */
const accepted = (deps: LicenseDeps, keys: readonly KeyObject[], text: string, row: StoredLicense): LicensePayload => {
  const read = readLicense(text, keys)
  if ('fault' in read) throw new AppError(read.fault === 'foreign' ? 'license_foreign' : 'license_forged')
  const { payload } = read
  const state = stateOf(payload, row.installationId, deps.clock.now())
  if (state === 'elsewhere') throw new AppError('license_elsewhere', { params: { id: payload.installation ?? '' } })
  if (state === 'expired') throw new AppError('license_expired', { params: { date: payload.until ?? '' } })
  return payload
}

const traceOf = (payload: LicensePayload | null) =>
  payload === null
    ? undefined
    : { id: payload.id, holder: payload.holder, supplier: payload.supplier, until: payload.until ?? '' }

const change = (deps: LicenseDeps, keys: readonly KeyObject[], caller: Caller, text: string | null): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const row = await theOne(tx)
    if (text === null && row.file === null) throw new AppError('not_found')
    const before = held(deps, keys, row).payload
    const after = text === null ? null : accepted(deps, keys, text, row)
    await tx.update(systemLicense).set({
      file: text,
      addedAt: text === null ? null : new Date(deps.clock.now()),
      addedBy: text === null ? '' : caller.name,
    })
    await audit(tx, caller, {
      action: text === null ? 'license.delete' : 'license.save',
      target: `license ${(after ?? before)?.id ?? ''}`.trim(),
      before: traceOf(before),
      after: traceOf(after),
    })
  })

export interface LicensePart extends Part {
  handlers: Handlers<'license.info' | 'license.save' | 'license.delete'>
}

export const createLicenseModule = (deps: LicenseDeps): LicensePart => {
  const keys = deps.keys.map(supplierKey)
  return {
    name: 'license',
    handlers: {
      'license.info': async () => ({ data: await info(deps, keys) }),
      'license.save': async ({ file }, caller) => {
        await change(deps, keys, caller, file)
        return {}
      },
      'license.delete': async (_input, caller) => {
        await change(deps, keys, caller, null)
        return {}
      },
    },
    commands: licenseCommands(() => info(deps, keys)),
  }
}
