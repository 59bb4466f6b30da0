/**
 * What an operator can ask a node: a question travels down the node's stream, its answer comes back as a request of the node's. Nothing
 * here changes a node.
 */
import { z } from 'zod'
import { dig, probe } from './lookups.ts'

/** Shared memory of the edge: the dicts of packages/engine-files. */
export const NODE_DICTS = [
  'tg_sites',
  'tg_hosts',
  'tg_certs',
  'tg_purges',
  'tg_pass',
  'tg_dead',
  'tg_meta',
  'tg_journal',
] as const
export type NodeDict = (typeof NODE_DICTS)[number]

export const MAX_MEMORY_ENTRIES = 100
/** Characters of a value in the list, and of one that is opened. */
export const MEMORY_LIST_CHARS = 200
export const MEMORY_VALUE_CHARS = 65_536

/** How a value is shown: as it is, or as hexadecimal digits because it is no text. */
export const MEMORY_FORMS = ['text', 'number', 'boolean', 'binary'] as const

export const memoryEntry = z.object({
  /** Stands for the key, which may be any bytes; good until the node's agent restarts. */
  id: z.string(),
  key: z.string(),
  form: z.enum(MEMORY_FORMS),
  /** Secrets in it are masked. */
  value: z.string(),
  /** A secret, of which nothing is given. */
  masked: z.boolean(),
  /** There is more of it than is given here. */
  cut: z.boolean(),
  /** Bytes of the whole value. */
  size: z.int(),
  /** Seconds until it runs out; 0 = never. */
  ttl: z.number(),
})
export type MemoryEntry = z.infer<typeof memoryEntry>

const memory = {
  input: z.object({
    dict: z.enum(NODE_DICTS),
    /** What keys begin with. */
    prefix: z.string().max(512),
    /** `next` of the page before; '' = the first. */
    after: z.string().max(4_096),
    limit: z.int().min(1).max(MAX_MEMORY_ENTRIES),
    /** `id` of an entry: it alone, with all that may be shown of its value; '' = a page. */
    entry: z.string().max(4_096),
  }),
  answer: z.object({
    list: z.array(memoryEntry),
    /** For `after`; '' = there are no more. */
    next: z.string(),
    /** Bytes. */
    capacity: z.int(),
    free: z.int(),
  }),
}

/** Kinds of questions. A kind that a node does not know is answered with the fault `unknown`. */
export const QUESTIONS = { memory, dig, probe } as const
export type QuestionKind = keyof typeof QUESTIONS
export type QuestionInput<K extends QuestionKind> = z.output<(typeof QUESTIONS)[K]['input']>
export type QuestionAnswer<K extends QuestionKind> = z.output<(typeof QUESTIONS)[K]['answer']>

/**
 * Why there is no answer: the node does not know the question, is busy with others, does not know the entry or cursor (any more), may not
 * go to that address, or what it tried failed.
 */
export const QUESTION_FAULTS = ['unknown', 'busy', 'gone', 'private', 'failed'] as const
export type QuestionFault = (typeof QUESTION_FAULTS)[number]

export const questionAnswer = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  answer: z.unknown(),
  fault: z.enum(QUESTION_FAULTS).nullable(),
  detail: z.string().max(500),
})
export type AnswerBody = z.infer<typeof questionAnswer>
