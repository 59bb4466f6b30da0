/** Both languages in everything that the server gives people to read: menu, permissions, notices, tasks, files. */
import { NOTIFY_EVENTS } from '@tidegate/contract/config/notify'
import { LANGUAGES } from '@tidegate/contract/enums'
import { expectBoth } from '@tidegate/contract/testing/words'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENTS } from './modules/notify/events.ts'
import { render } from './modules/notify/render.ts'
import { call, type TestServer, testServer } from './testing/app.ts'

type Words = { zh: string; en: string }

describe('what people read of the server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
  })
  afterAll(() => server.close())
  const rows = async <Row>(text: string) => (await server.built.context.database.pool.query(text)).rows as Row[]

  it.each(NOTIFY_EVENTS.map((event) => [event, EVENTS[event]] as const))(
    'the notice %s has subject, text and words for its variables in both languages, by mail as by short message [S1.2]',
    (event, { title, texts, variables, channels }) => {
      // The test message goes by the channel that is tested.
      expect(channels.length > 0).toBe(event !== 'test')
      expectBoth(title)
      for (const variable of variables) expectBoth(variable.title)
      for (const part of ['subject', 'body'] as const) {
        const words = { zh: texts.zh[part], en: texts.en[part] }
        expectBoth(words)
      }
      const values = Object.fromEntries(variables.map(({ name, sample }) => [name, sample]))
      for (const lang of LANGUAGES) {
        const { subject, text, html } = render(texts[lang], { ...values, site: 'Tidegate' })
        for (const filled of [subject, text, html]) expect(filled).not.toMatch(/\{\w+\}/)
        for (const { sample } of variables.filter(({ name }) => texts[lang].body.includes(`{${name}}`)))
          expect(text).toContain(sample)
      }
    },
  )

  it('menu entries and permissions have names in both languages [S1.2]', async () => {
    const titles = await rows<{ title: Words }>("SELECT meta->'title' AS title FROM menu")
    const names = await rows<{ name: Words }>('SELECT name FROM permission')
    expect(titles.length).toBeGreaterThan(100)
    expect(names.length).toBeGreaterThan(50)
    for (const { title } of titles) expectBoth(title, SAME)
    for (const { name } of names) expectBoth(name, SAME)
  })

  it('scheduled tasks and the columns of files have names in both languages [S1.2]', () => {
    const kinds = server.built.parts.flatMap((part) => part.tasks ?? [])
    const lists = server.built.parts.flatMap((part) => part.exports ?? [])
    expect(Math.min(kinds.length, lists.length)).toBeGreaterThan(3)
    for (const { title, about, fields } of kinds)
      for (const words of [title, about, ...Object.values(fields)]) expectBoth(words, SAME)
    for (const { columns } of lists) for (const { title } of columns) expectBoth(title, SAME)
  })

  it('an answer is in the language that the caller names, else in that of the browser, else in Chinese [S1.2]', async () => {
    const msg = async (headers: Record<string, string>) => (await call(server, 'sys/nothing', { headers })).body.msg
    const zh = '接口不存在'
    const en = 'There is no such call'
    expect(await msg({ lang: 'zh' })).toBe(zh)
    expect(await msg({ lang: 'en' })).toBe(en)
    expect(await msg({ lang: '', 'accept-language': 'en-GB,en;q=0.9,zh;q=0.5' })).toBe(en)
    expect(await msg({ lang: '', 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.5' })).toBe(zh)
    expect(await msg({ lang: 'zh', 'accept-language': 'en' })).toBe(zh)
    expect(await msg({ lang: '' })).toBe(zh)
  })
})

/** Names that are the same in both languages. */
const SAME = /^[\x20-\x7e]+$/
