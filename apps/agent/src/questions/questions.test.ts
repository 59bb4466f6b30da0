/** Operators' questions to a real agent with a real nginx. */
import { QUESTIONS, type QuestionAnswer, type QuestionKind } from '@tidegate/contract/node/questions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { settings, site, startOrigin } from '../testing/bodies.ts'
import { ControlPlane } from '../testing/control-plane.ts'
import { NodeUnderTest } from '../testing/node.ts'
import { until } from '../testing/wait.ts'

describe('a question to a node', () => {
  let plane: ControlPlane
  let node: NodeUnderTest
  let origin: Awaited<ReturnType<typeof startOrigin>>
  beforeAll(async () => {
    plane = await ControlPlane.start()
    node = await NodeUnderTest.make(plane)
    origin = await startOrigin('first')
    const revision = plane.put([settings(), site(1, 'a.example', origin.port), site(2, 'b.example', origin.port)])
    await node.start()
    await until(
      () => node.output.slice(-3000),
      () => plane.acknowledged(revision),
    )
    await until('the stream', () => plane.listening())
  })
  afterAll(async () => {
    await node.destroy()
    await plane.stop()
    await origin.stop()
  })

  const told = async <K extends QuestionKind>(kind: K, input: object): Promise<QuestionAnswer<K>> => {
    const said = await plane.ask(kind, input)
    expect(said).toMatchObject({ fault: null })
    const schema: z.ZodType = QUESTIONS[kind].answer
    return schema.parse(said.answer) as QuestionAnswer<K>
  }
  const memory = (input: object) =>
    told('memory', { dict: 'tg_hosts', prefix: '', after: '', limit: 50, entry: '', ...input })

  it('tells what its shared memory holds, page by page, and one entry whole', async () => {
    const first = await memory({ limit: 1 })
    expect(first.list.map((e) => [e.key, e.value])).toEqual([['a.example', '1']])
    const second = await memory({ limit: 1, after: first.next })
    expect([second.list.map((e) => e.key), second.next]).toEqual([['b.example'], ''])
    const body = (await memory({ dict: 'tg_sites', prefix: '1' })).list.find((e) => e.key === '1')
    expect(body).toMatchObject({ form: 'text', cut: true })
    const whole = await memory({ dict: 'tg_sites', entry: body?.id })
    expect(JSON.parse(whole.list[0]?.value ?? '')).toMatchObject({ id: 1, hosts: ['a.example'] })
  })

  it('asks its own edge as a visitor would: a site of its group, with what the cache says of it', async () => {
    const probe = (url: string) => told('probe', { url, method: 'GET', way: 'edge' })
    await probe('http://a.example/lookup')
    const answer = await probe('http://a.example/lookup')
    expect(answer).toMatchObject({ fault: null, status: 200, text: 'first /lookup' })
    expect(answer.headers.find(([name]) => name.toLowerCase() === 'x-cache')?.[1]).toBe('HIT')
    expect((await probe('https://a.example/lookup')).tls?.problem).not.toBe('')
    expect((await probe('http://nobody.example/')).status).toBe(404)
  })

  it('says so when it does not know what is meant', async () => {
    expect(await plane.ask('weather', {})).toMatchObject({ fault: 'unknown' })
    expect(await plane.ask('memory', { dict: 'tg_secret' })).toMatchObject({ fault: 'unknown' })
  })
})
