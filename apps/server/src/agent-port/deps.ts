/** What the agents' port needs of the modules behind it; the composition root puts it together. */
import type {
  AckReport,
  enrollReply,
  enrollRequest,
  ProbeReply,
  ProbeReport,
  StatusReport,
} from '@tidegate/contract/node/protocol'
import type { AnswerBody } from '@tidegate/contract/node/questions'
import type { z } from 'zod'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'

export interface AgentNode {
  id: number
  name: string
  /** Its group's scope: the only one it may read and answer for. */
  scope: string
}

export interface AgentPortDeps {
  log: Log
  clock: Clock
  ca: {
    certPem: string
    issueServer(names: string[]): Promise<{ certificate: string; keyPem: string }>
  }
  auth: {
    check(nodeId: number, serial: string): Promise<AgentNode | null>
    onChange(listener: (nodeId: number) => void): () => void
  }
  enrolment: {
    enroll(request: z.infer<typeof enrollRequest>, ip: string): Promise<z.infer<typeof enrollReply>>
    renew(node: { id: number; serial: string }, csr: string): Promise<{ certificate: string; ca: string }>
  }
  statuses: { report(nodeId: number, report: StatusReport): void }
  files: { read(name: string): Promise<{ body: Buffer } | null> }
  deltas: {
    latest(scope: string): Promise<number>
    /** `body`: gzip. */
    delta(scope: string, since: number): Promise<{ revision: number; body: Buffer }>
    onPublished(listener: (scope: string, revision: number) => void): () => void
  }
  acks: {
    sent(nodeId: number, revision: number): void
    ack(node: AgentNode, report: AckReport): Promise<'ok' | 'never_sent'>
  }
  /** Takes an agent's probes and says what it should probe next. */
  exchangeProbes(nodeId: number, report: ProbeReport): Promise<ProbeReply>
  questions: {
    /** Runs for every question, whichever process has the node's stream. */
    onAsked(listener: (nodeId: number, id: string) => void): () => void
    /** The question as the node gets it; null when nobody waits for it any more. */
    read(nodeId: number, id: string): Promise<{ id: string; kind: string; input: unknown } | null>
    /** Keeps the node's answer; an answer to no question of its own is passed over. */
    answered(nodeId: number, body: AnswerBody): Promise<void>
  }
  reportLie(nodeId: number, report: AckReport, ip: string): Promise<void>
  /** Checks and stores a `logBatch`; `duplicate` when it was stored before. Throws `invalid_input` for a malformed one. */
  ingest(nodeId: number, batch: unknown): Promise<{ duplicate: boolean }>
}
