/** Answers operators' questions that come down the stream. None of them changes the node, and none may keep it from its work. */
import { AGENT_PATHS } from '@tidegate/contract/node/protocol'
import {
  type AnswerBody,
  QUESTIONS,
  type QuestionAnswer,
  type QuestionFault,
  type QuestionInput,
  type QuestionKind,
} from '@tidegate/contract/node/questions'
import { z } from 'zod'
import type { ControlClient } from '../control/client.ts'
import { errorText, type Log } from '../log.ts'

/** Questions answered at once; others are told that the node is busy. */
const AT_ONCE = 4
const DETAIL_MOST = 500

/** What an answerer throws instead of an answer. */
export class Fault extends Error {
  readonly fault: QuestionFault
  constructor(fault: QuestionFault, detail = '') {
    super(detail)
    this.fault = fault
  }
}

export type Answerers = Readonly<{
  [K in QuestionKind]: (input: QuestionInput<K>) => Promise<QuestionAnswer<K>>
}>
export type Questions = Readonly<{
  /** Never throws; the answer is sent when it is there. */
  take: (question: Readonly<{ id: string; kind: string; input: unknown }>) => void
}>

type Said = Pick<AnswerBody, 'answer' | 'fault' | 'detail'>

const refusal = (fault: QuestionFault, detail = ''): Said => ({
  answer: null,
  fault,
  detail: detail.slice(0, DETAIL_MOST),
})

const isKind = (kind: string): kind is QuestionKind => Object.hasOwn(QUESTIONS, kind)

async function say<K extends QuestionKind>(answerers: Answerers, kind: K, given: unknown): Promise<Said> {
  const schema: z.ZodType = QUESTIONS[kind].input
  const input = schema.safeParse(given)
  // A newer control plane may ask for what this release cannot tell.
  if (!input.success) return refusal('unknown')
  try {
    return { answer: await answerers[kind](input.data as QuestionInput<K>), fault: null, detail: '' }
  } catch (error) {
    return error instanceof Fault ? refusal(error.fault, error.message) : refusal('failed', errorText(error))
  }
}

export function createQuestions(answerers: Answerers, client: ControlClient, log: Log): Questions {
  let busy = 0

  async function answer(id: string, kind: string, input: unknown): Promise<void> {
    busy++
    try {
      const said = !isKind(kind)
        ? refusal('unknown')
        : busy > AT_ONCE
          ? refusal('busy')
          : await say(answerers, kind, input)
      await client.call({ method: 'POST', path: AGENT_PATHS.answer, json: { id, ...said } }, z.unknown())
    } finally {
      busy--
    }
  }

  return {
    take: ({ id, kind, input }) => {
      // Nobody waits for long: an answer that cannot be delivered is not worth a second try.
      answer(id, kind, input).catch((error) => log.warn('answer_failed', { kind, error: errorText(error) }))
    },
  }
}
