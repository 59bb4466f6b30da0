import { AGENT_PATHS, type StreamEvent } from '@tidegate/contract/node/protocol'
import type { QuestionInput } from '@tidegate/contract/node/questions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EnrolledNode, openPlane, type TestPlane, until } from '../../testing/plane.ts'

const INPUT: QuestionInput<'memory'> = { dict: 'tg_hosts', prefix: '', after: '', limit: 10, entry: '' }
const ANSWER = { list: [], next: '', capacity: 10, free: 5 }

describe('questions to nodes', () => {
  let plane: TestPlane
  let node: EnrolledNode
  let seconds = 60
  const asked: Extract<StreamEvent, { type: 'question' }>[] = []
  const never = new AbortController().signal
  const ask = (id = node.id) => plane.plane.node.questions.ask(id, 'memory', INPUT, never)
  const answer = (body: object, from = node) =>
    from.call('POST', AGENT_PATHS.answer, { answer: null, fault: null, detail: '', ...body })
  const nextQuestion = () => until(async () => asked.shift())

  beforeAll(async () => {
    plane = await openPlane({ answerSeconds: () => seconds })
    node = await plane.enroll('asked')
    await plane.query('UPDATE node SET last_seen = now() WHERE id = $1', [node.id])
    void (async () => {
      for await (const event of node.stream()) if (event.type === 'question') asked.push(event)
    })().catch(() => {})
    await until(async () => plane.plane.streams() === 1)
  })
  afterAll(async () => {
    node.close()
    await plane.close()
  })

  it('travel down the stream, and the answer comes back; nothing of either stays', async () => {
    const waiting = ask()
    const question = await nextQuestion()
    expect(question).toMatchObject({ kind: 'memory', input: INPUT })
    expect((await answer({ id: question.id, answer: ANSWER })).status).toBe(200)
    expect(await waiting).toEqual(ANSWER)
    expect(await plane.query('SELECT id FROM node_question')).toEqual([])
  })

  it('are answered by the node that was asked only', async () => {
    const other = await plane.enroll('other')
    const waiting = ask()
    const { id } = await nextQuestion()
    await answer({ id, answer: { ...ANSWER, capacity: 666 } }, other)
    await answer({ id, answer: ANSWER })
    expect(await waiting).toEqual(ANSWER)
    other.close()
  })

  it.each([
    ['unknown', 'node_outdated'],
    ['busy', 'node_busy'],
    ['gone', 'entry_gone'],
    ['failed', 'node_failed'],
    ['private', 'invalid_input'],
  ])('tell the fault %s as %s', async (fault, key) => {
    const waiting = ask()
    waiting.catch(() => {})
    await answer({ id: (await nextQuestion()).id, fault, detail: 'it broke' })
    await expect(waiting).rejects.toMatchObject({ key })
  })

  it('end with an error when the answer is not what was asked for, or the node says nothing in time', async () => {
    const waiting = ask()
    waiting.catch(() => {})
    await answer({ id: (await nextQuestion()).id, answer: { list: 'all of it' } })
    await expect(waiting).rejects.toMatchObject({ key: 'node_outdated' })
    seconds = 1
    await expect(ask()).rejects.toMatchObject({
      key: 'node_silent',
      details: { params: { name: 'asked', seconds: 1 } },
    })
    seconds = 60
    // An answer that comes late is passed over.
    expect((await answer({ id: (await nextQuestion()).id, answer: ANSWER })).status).toBe(200)
    expect(await plane.query('SELECT id FROM node_question')).toEqual([])
  })

  it('are not put to a node that is offline or not there, and not too many to one', async () => {
    await expect(ask(999_999)).rejects.toMatchObject({
      key: 'invalid_input',
      details: { fields: [{ path: 'nodeId' }] },
    })
    const waiting = [ask(), ask(), ask(), ask()]
    const ids = [await nextQuestion(), await nextQuestion(), await nextQuestion(), await nextQuestion()]
    await expect(ask()).rejects.toMatchObject({ key: 'node_busy' })
    for (const { id } of ids) await answer({ id, answer: ANSWER })
    await Promise.all(waiting)
    await plane.query("UPDATE node SET last_seen = now() - interval '1 minute' WHERE id = $1", [node.id])
    await expect(ask()).rejects.toMatchObject({ key: 'node_offline', details: { params: { name: 'asked' } } })
  })
})
