/** What a node finds out for an operator: a question to DNS, a request to a web address. */
import { z } from 'zod'

export const DNS_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'CAA', 'PTR'] as const
export type DnsType = (typeof DNS_TYPES)[number]

/** Why a server gave no answer that can be read. */
export const DIG_FAULTS = ['timeout', 'unreachable', 'malformed'] as const

export const MAX_DNS_RECORDS = 100
export const MAX_RECORD_CHARS = 4_096

const dnsRecord = z.object({
  name: z.string(),
  type: z.string(),
  /** Seconds. */
  ttl: z.number(),
  /** As in a zone file (RFC 1035, 5.1). */
  data: z.string().max(MAX_RECORD_CHARS),
})
export type DnsRecord = z.infer<typeof dnsRecord>

export const dig = {
  input: z.object({
    /** Lower case, without the final dot; '' = the root. */
    name: z.string().max(255),
    type: z.enum(DNS_TYPES),
    /** Address with or without a port, IPv6 with a port in brackets; '' = the node's own resolver. */
    server: z.string().max(64),
  }),
  answer: z.object({
    /** Who was asked, with the port. */
    server: z.string(),
    /** Milliseconds until the answer, or until it was given up. */
    ms: z.number(),
    /** null: there is an answer. */
    fault: z.enum(DIG_FAULTS).nullable(),
    /** E.g. NOERROR, NXDOMAIN (RFC 6895, 2.3); '' without an answer. */
    status: z.string(),
    /** The answer did not fit into a datagram and was asked for again by TCP. */
    tcp: z.boolean(),
    authoritative: z.boolean(),
    /** The resolver checked its signatures (RFC 4035, 3.2.3). */
    authenticated: z.boolean(),
    answers: z.array(dnsRecord).max(MAX_DNS_RECORDS),
    authority: z.array(dnsRecord).max(MAX_DNS_RECORDS),
  }),
}
export type DigAnswer = z.infer<typeof dig.answer>

export const PROBE_METHODS = ['GET', 'HEAD'] as const
/** Where the request goes: to what the name resolves to, or to the node's own edge as a visitor's would. */
export const PROBE_WAYS = ['net', 'edge'] as const
export type ProbeWay = (typeof PROBE_WAYS)[number]

/** Why there is no answer. */
export const PROBE_FAULTS = ['unresolved', 'refused', 'reset', 'timeout', 'unreachable', 'tls', 'malformed'] as const
export type ProbeFault = (typeof PROBE_FAULTS)[number]

export const MAX_PROBE_HEADERS = 100
export const MAX_HEADER_CHARS = 2_000
/** Characters of the body that are shown; of the body at most so many bytes are read. */
export const MAX_PROBE_TEXT = 2_000
export const MAX_PROBE_BYTES = 1_048_576

const tls = z.object({
  /** E.g. TLSv1.3. */
  protocol: z.string(),
  cipher: z.string(),
  subject: z.string(),
  issuer: z.string(),
  names: z.array(z.string()).max(100),
  /** ISO times. */
  notBefore: z.string(),
  notAfter: z.string(),
  /** '' = the chain is good and the name fits; else what is wrong, a code of OpenSSL or Node. */
  problem: z.string(),
})

const ms = z.number().nullable()

export const probe = {
  input: z.object({
    url: z.string().max(2_048),
    method: z.enum(PROBE_METHODS),
    way: z.enum(PROBE_WAYS),
  }),
  answer: z.object({
    /** null: there is an answer. */
    fault: z.enum(PROBE_FAULTS).nullable(),
    /** What the system says of the fault, e.g. ECONNREFUSED. */
    code: z.string().max(200),
    /** Where it was connected to; '' = nowhere. */
    address: z.string(),
    port: z.int(),
    status: z.int(),
    reason: z.string().max(200),
    /** In the order in which they came, with the letters as they came. */
    headers: z.array(z.tuple([z.string(), z.string().max(MAX_HEADER_CHARS)])).max(MAX_PROBE_HEADERS),
    tls: tls.nullable(),
    /** Milliseconds from the beginning; null: not come to. */
    times: z.object({ lookup: ms, connect: ms, tls: ms, first: ms, total: z.number() }),
    /** Bytes of the body that were read, as they were sent; `cut`: there were more. */
    bytes: z.int(),
    cut: z.boolean(),
    /** The beginning of a body that is text. */
    text: z.string().max(MAX_PROBE_TEXT),
  }),
}
export type ProbeAnswer = z.infer<typeof probe.answer>
