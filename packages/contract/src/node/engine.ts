/**
 * Agent <-> nginx, on a unix socket of mode 0600 in the node's runtime directory. Plain HTTP/1.1, JSON.
 *
 *   POST /apply     engineBatch  -> engineApplied     compiles every item first, then switches; bad items keep the old one
 *   GET  /status                 -> engineStatus
 *   GET  /dict?name=&prefix=&after=&limit= or &key=   -> engineDict   read-only view for operators; keys and texts in base64
 *
 * State on disk, read by `init_by_lua` so that a restart needs neither agent nor control plane: `state/{sites,certs,challenges,purges}.jsonl` and
 * `state/meta.json` {revision, settings}; one engine item a line; written by the agent (temp, fsync, rename), two generations
 * (`state.prev/`). Requests on the data port for host `tidegate-probe.internal` from a loopback peer with the header
 * `X-Tidegate-Probe: <secret of the node>` answer `{"revision":N}` as the answering worker sees it.
 */
import { z } from 'zod'
import { certConfig, challengeConfig, groupSettings, purgeConfig, siteConfig } from './config.ts'

/** A site with its origins' names resolved: `addresses` parallel to origin.servers; empty = could not be resolved (yet). */
export const engineSite = siteConfig.extend({ addresses: z.array(z.array(z.string())) })
export type EngineSite = z.infer<typeof engineSite>

export const engineItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('site'), key: z.string(), body: engineSite.nullable() }),
  z.object({ kind: z.literal('cert'), key: z.string(), body: certConfig.nullable() }),
  z.object({ kind: z.literal('challenge'), key: z.string(), body: challengeConfig.nullable() }),
  z.object({ kind: z.literal('purge'), key: z.string(), body: purgeConfig.nullable() }),
  z.object({ kind: z.literal('settings'), key: z.string(), body: groupSettings.nullable() }),
])
export type EngineItem = z.infer<typeof engineItem>

export const engineBatch = z.object({
  revision: z.int(),
  /** true: the items are everything; what is not among them is removed. */
  full: z.boolean(),
  items: z.array(engineItem),
})
export type EngineBatch = z.infer<typeof engineBatch>

export const engineApplied = z.object({
  ok: z.boolean(),
  revision: z.int(),
  error: z.string(),
  refused: z.array(z.object({ kind: z.string(), key: z.string(), reason: z.string(), detail: z.string() })),
  ms: z.number(),
})
export type EngineApplied = z.infer<typeof engineApplied>

export const engineStatus = z.object({
  revision: z.int(),
  sites: z.int(),
  certs: z.int(),
  workers: z.int(),
  /** Bytes: free in each shared dict; Lua heap of the answering worker. */
  dicts: z.record(z.string(), z.object({ capacity: z.int(), free: z.int() })),
  luaHeap: z.int(),
  /** Unix seconds since when the master runs. */
  startedAt: z.int(),
})
export type EngineStatus = z.infer<typeof engineStatus>

/** What lies in one shared dict. `key`, `value` and `next` in base64; a secret's value is not given. */
export const engineDict = z.object({
  entries: z.array(
    z.object({
      key: z.string(),
      type: z.string(),
      value: z.string(),
      /** Bytes of the whole value, of which at most 64 KiB are given. */
      size: z.int(),
      /** Seconds until it runs out; 0 = never. */
      ttl: z.number(),
      secret: z.boolean(),
    }),
  ),
  /** The last key given when there are more; '' = these were all. */
  next: z.string(),
  /** Bytes of the dict. */
  capacity: z.int(),
  free: z.int(),
})
export type EngineDict = z.infer<typeof engineDict>
