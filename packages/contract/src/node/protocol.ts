/**
 * Node <-> control plane, on the agents' own port (TLS 1.3, client certificates; see docs/flows.md). Paths begin with /agent/v1/.
 * Bodies are JSON; `config` and `logs` are gzipped when the peer says so.
 */
import { z } from 'zod'
import { MAX_PROBE_MS, MAX_PROBE_RESULTS, PROBE_ERRORS } from '../monitor.ts'

export const AGENT_PROTOCOL = 1
export const AGENT_PATHS = {
  /** POST, no client certificate: one-time token -> certificate. */
  enroll: '/agent/v1/enroll',
  /** POST: new certificate for the same node at two thirds of the old one's life. */
  renew: '/agent/v1/renew',
  /** GET: newline-delimited JSON, `streamEvent` a line, a ping every 15 s. */
  stream: '/agent/v1/stream',
  /** GET ?since=N: `configDelta`. */
  config: '/agent/v1/config',
  /** POST `ackReport`. */
  ack: '/agent/v1/ack',
  /** POST `logBatch` (gzip). 200 {duplicate} once stored; anything else: keep it in the spool and try again. */
  logs: '/agent/v1/logs',
  /** POST `statusReport` every 10 s -> `statusReply`. */
  status: '/agent/v1/status',
  /** POST `probeReport` once a round of probes -> `probeReply`. */
  probes: '/agent/v1/probes',
  /** POST `questionAnswer`: what the node says to a question of its stream. */
  answer: '/agent/v1/answer',
  /** GET, no client certificate: the agent's own files for the install command. */
  download: '/agent/v1/download',
} as const

export const enrollRequest = z.object({
  protocol: z.int(),
  token: z.string(),
  /** PKCS#10, PEM. Subject and extensions are ignored: the server decides what it certifies. */
  csr: z.string(),
  hostname: z.string().max(255),
  agentVersion: z.string().max(40),
  engineVersion: z.string().max(40),
})
export const enrollReply = z.object({
  nodeId: z.int(),
  nodeName: z.string(),
  scope: z.string(),
  /** PEM */
  certificate: z.string(),
  ca: z.string(),
})
export const renewRequest = z.object({ csr: z.string() })
export const renewReply = z.object({ certificate: z.string(), ca: z.string() })

export const streamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('revision'), scope: z.string(), revision: z.int() }),
  z.object({ type: z.literal('ping'), time: z.int() }),
  /** An operator wants to know something (questions.ts); agents before this release pass it over. */
  z.object({ type: z.literal('question'), id: z.string(), kind: z.string(), input: z.unknown() }),
])
export type StreamEvent = z.infer<typeof streamEvent>

/** A resource the node would not take. The version before stays in force; nothing else is held up by it. */
export const refusal = z.object({
  kind: z.string(),
  key: z.string(),
  /** Machine word: schema, compile, resolve, private_origin, certificate, full, engine */
  reason: z.string(),
  detail: z.string().max(2000),
})
export type Refusal = z.infer<typeof refusal>

export const ackReport = z.object({
  scope: z.string(),
  /** What the node runs now. */
  revision: z.int(),
  /** false = the whole batch was refused (snapshot not writable, engine down, probe failed): the node runs `revision` still. */
  ok: z.boolean(),
  /** The revision that was tried; equals `revision` when ok. */
  tried: z.int(),
  error: z.string().max(2000),
  refused: z.array(refusal),
  /** All resources that are refused at present, by `kind key`, so that the server's view heals itself. */
  refusedNow: z.array(z.string()),
  /** Milliseconds: from being told to being live, and of it the engine's own apply. */
  totalMs: z.number(),
  applyMs: z.number(),
  /** Whether a request through the node's own listener saw `revision`. */
  probed: z.boolean(),
})
export type AckReport = z.infer<typeof ackReport>

export const statusReport = z.object({
  protocol: z.int(),
  agentVersion: z.string(),
  engineVersion: z.string(),
  /** Unix ms on the node. */
  time: z.int(),
  revision: z.int(),
  engineUp: z.boolean(),
  sites: z.int(),
  certs: z.int(),
  load1: z.number(),
  cpus: z.int(),
  memTotal: z.int(),
  memFree: z.int(),
  diskTotal: z.int(),
  diskFree: z.int(),
  cacheBytes: z.int(),
  spoolBytes: z.int(),
  droppedLines: z.int(),
  httpPort: z.int(),
  httpsPort: z.int(),
  /** Words for what is wrong on the node: low_disk, spool_full, engine_down, config_from_disk */
  alerts: z.array(z.string()),
})
export type StatusReport = z.infer<typeof statusReport>
export const statusReply = z.object({ time: z.int(), revision: z.int() })

/** What an agent saw of other nodes since its last report; empty at the first. `at`: Unix ms by the server's clock. */
export const probeReport = z.object({
  results: z
    .array(
      z.object({
        node: z.int(),
        port: z.int(),
        ms: z.int().min(0).max(MAX_PROBE_MS),
        /** Empty: it was answered. */
        error: z.enum(['', ...PROBE_ERRORS]),
        at: z.int(),
      }),
    )
    .max(MAX_PROBE_RESULTS),
})
export type ProbeReport = z.infer<typeof probeReport>
/** What to probe from now on: every target at every port, once in `frequency` seconds. `address` null: the node itself, at its engine's own ports. */
export const probeReply = z.object({
  frequency: z.int().min(1),
  ports: z.array(z.int().min(1).max(65_535)),
  targets: z.array(z.object({ node: z.int(), address: z.string().nullable() })),
})
export type ProbeReply = z.infer<typeof probeReply>
