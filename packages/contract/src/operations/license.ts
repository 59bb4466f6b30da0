/** The system license: what this installation is, what it holds, and what its supplier agreed in a signed file. Nothing is sent anywhere. */
import { z } from 'zod'
import { LICENSE_STATES } from '../enums.ts'
import { MAX_LICENSE_BYTES } from '../limits.ts'
import { none, operation } from '../operation.ts'

/** What the supplier signed. */
const signed = z.object({
  /** The file's number. */
  id: z.string(),
  holder: z.string(),
  supplier: z.string(),
  /** Where the holder asks for help; '' = not said. */
  contact: z.string(),
  /** Days as 2026-11-21. */
  issued: z.string(),
  /** Last day; '' = without end. */
  until: z.string(),
  /** Days left, the last one too; 0 after it; null = without end. */
  daysLeft: z.int().nullable(),
  /** Installation that it is for; '' = any. */
  installation: z.string(),
  addedTime: z.string(),
  /** Name of the administrator. */
  addedBy: z.string(),
})

/** `limit`: as agreed; null = none. Nothing is switched off beyond it. */
const counted = z.object({ used: z.int(), active: z.int(), limit: z.int().nullable() })

const license = z.object({
  state: z.enum(LICENSE_STATES),
  /** null under the community license, and of a file that nobody known signed. */
  license: signed.nullable(),
  /** Suppliers whose files are accepted: the beginnings of their keys' SHA-256. */
  suppliers: z.array(z.string()),
  /** `active`: online nodes, enabled sites and customers. */
  nodes: counted,
  sites: counted,
  customers: counted,
  installation: z.object({ id: z.string(), since: z.string() }),
  product: z.object({
    version: z.string(),
    /** Commit that the program was built from, with `-dirty` where the sources had been changed; '' = not known. */
    commit: z.string(),
    /** When it was built; '' = it runs from its sources. */
    built: z.string(),
    /** Version of Node.js. */
    node: z.string(),
    /** Seconds. */
    uptime: z.int(),
  }),
  /** Bytes; `outside`: not the launcher's own. */
  database: z.object({ version: z.string(), bytes: z.number(), outside: z.boolean() }),
  disk: z.object({ total: z.number(), free: z.number(), short: z.boolean(), low: z.boolean() }),
})

export const licenseOperations = [
  operation({
    id: 'license.info',
    method: 'GET',
    path: 'sys/license/info',
    audience: 'admin',
    permission: 'home:auth',
    effect: 'read',
    input: none,
    output: z.object({ data: license }),
  }),
  operation({
    /** The file's text. Refused unless a known supplier signed it for this installation and it has not expired. */
    id: 'license.save',
    method: 'POST',
    path: 'sys/license/save',
    audience: 'admin',
    permission: 'home:auth:save',
    effect: 'write',
    input: z.object({
      file: z.string({ error: 'required' }).min(1, { error: 'required' }).max(MAX_LICENSE_BYTES, { error: 'too_long' }),
    }),
    output: none,
  }),
  operation({
    /** Back to the community license. */
    id: 'license.delete',
    method: 'POST',
    path: 'sys/license/delete',
    audience: 'admin',
    permission: 'home:auth:save',
    effect: 'write',
    input: none,
    output: none,
  }),
]
