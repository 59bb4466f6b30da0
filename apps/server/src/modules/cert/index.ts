/** Certificates: uploaded or by ACME, listed, renewed, deleted. Their keys are sealed at rest and never part of an answer. */
import { CERT_SOON_DAYS } from '@tidegate/contract/limits'
import { sql } from 'drizzle-orm'
import type { Handlers } from '../../platform/caller.ts'
import type { JobDefinition } from '../../platform/jobs.ts'
import { within } from '../../platform/owner.ts'
import { row } from '../../platform/query.ts'
import type { TaskKind } from '../../platform/task.ts'
import { apply, edit, renewByHand } from './apply.ts'
import { choices, deleteAuthority, listAuthorities, saveAuthority, testAuthority } from './authority.ts'
import type { CertModuleDeps } from './deps.ts'
import { expiryTask } from './expiry.ts'
import { certChain, certInfo, listCerts } from './present.ts'
import { renewTask } from './renew.ts'
import { orderJob } from './run.ts'
import { removeCerts, upload } from './upload.ts'

export type { Resolve } from './dns.ts'
export type { TellOfCerts } from './expiry.ts'

const DAY_MS = 86_400_000

export interface CertCounts {
  total: number
  expiring: number
  expired: number
}

type CertIds =
  | 'cert.save'
  | 'cert.list'
  | 'cert.info'
  | 'cert.chain'
  | 'cert.apply'
  | 'cert.renew'
  | 'cert.edit'
  | 'cert.delete'
  | 'cert.authorities'
  | 'ca.list'
  | 'ca.save'
  | 'ca.delete'
  | 'ca.test'

export interface CertModule {
  handlers: Handlers<CertIds>
  /**
   * All; those that a site uses and that end within 14 days, and how many of them have ended.
   * `owner`: of this customer only; null = of all.
   */
  counts(owner?: number | null): Promise<CertCounts>
  tasks: readonly TaskKind[]
  jobs: readonly JobDefinition[]
}

export const createCertModule = (deps: CertModuleDeps): CertModule => {
  const { db } = deps.database
  return {
    counts: (owner = null) => counts(deps, owner),
    tasks: [expiryTask({ ...deps, db }), renewTask(deps)],
    jobs: [orderJob(deps)],
    handlers: {
      'cert.save': (input, caller) => upload(deps, input, caller),
      'cert.list': (input, caller) => listCerts(db, input, caller, deps.clock.now()),
      'cert.info': async ({ id }, caller) => ({ data: await certInfo(db, id, caller, deps.clock.now()) }),
      'cert.chain': ({ id }, caller) => certChain(db, id, caller),
      'cert.apply': (input, caller) => apply(deps, input, caller),
      'cert.renew': ({ id }, caller) => renewByHand(deps, id, caller),
      'cert.edit': (input, caller) => edit(deps, input, caller),
      'cert.delete': ({ ids }, caller) => removeCerts(deps, ids, caller),
      'cert.authorities': () => choices(db),
      'ca.list': async () => ({ data: await listAuthorities(db) }),
      'ca.save': (input, caller) => saveAuthority(deps, input, caller),
      'ca.delete': ({ id }, caller) => deleteAuthority(db, id, caller),
      'ca.test': ({ id }, caller) => testAuthority(db, id, caller),
    },
  }
}

const counts = async ({ database, clock }: CertModuleDeps, owner: number | null): Promise<CertCounts> => {
  const now = clock.now()
  const at = (ms: number) => sql`c.not_after < ${new Date(ms).toISOString()}::timestamptz`
  const found = await row<{ total: number; expiring: number; expired: number }>(
    database.db,
    sql`SELECT count(*) AS total, count(*) FILTER (WHERE ends) AS expiring, count(*) FILTER (WHERE ends AND ended) AS expired
        FROM (SELECT ${at(now)} AS ended,
                ${at(now + CERT_SOON_DAYS * DAY_MS)} AND EXISTS (SELECT FROM site s WHERE s.cert_id = c.id AND s.enabled) AS ends
              FROM cert c WHERE c.not_after IS NOT NULL AND ${within(owner, sql`c.user_id`)}) x`,
  )
  const { total = 0, expiring = 0, expired = 0 } = found ?? {}
  return { total, expiring, expired }
}
