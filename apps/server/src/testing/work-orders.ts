/** Hands of customers and staff at the desk of work orders. */
import { contentText } from '@tidegate/contract/work-order'
import { expect } from 'vitest'
import { call, callForm, type Reply, type TestServer } from './app.ts'
import type { TestCustomer } from './customers.ts'

export type Body = Record<string, unknown>
const PNG = new TextEncoder().encode('?PNG\r\n\x1a\n').with(0, 0x89)
export const SYS = 'sys/tb/work/order'
export const APP = 'app/tb/work/order'

/** `at` is asked at each call: the server, the login of the staff, and the category of what is opened. */
export const workDesk = (at: () => { server: TestServer; token: string; category: number }) => {
  const staff = (path: string, body: Body = {}) => call(at().server, `${SYS}/${path}`, { token: at().token, body })
  const own = (who: TestCustomer, path: string, body: Body = {}) =>
    call(at().server, `/api/${APP}/${path}`, { token: who.token, body })
  const look = async (login: string, path: string) => call(at().server, path, { method: 'GET', token: login })
  return {
    staff,
    own,
    look,
    open: async (who: TestCustomer, fields: Body = {}) => {
      const { server, category } = at()
      server.clock.advance(1)
      const body = { title: 'A question', categoryId: category, content: contentText('How?', []), ...fields }
      const reply = await own(who, 'wol/save', body)
      expect([reply.status, reply.body.errors]).toEqual([200, undefined])
      return Number(reply.body.id)
    },
    detail: async (id: number) => (await look(at().token, `${SYS}/wol/detail?id=${id}`)).body.data as Body,
    ownDetail: async (who: TestCustomer, id: number) =>
      (await look(who.token, `/api/${APP}/wol/detail?id=${id}`)).body.data as Body,
    ask: (who: TestCustomer, id: number, text = 'and?') =>
      own(who, 'wol/send/message', { id, content: contentText(text, []) }),
    answer: (id: number, text = 'so', more: Body = {}) =>
      staff('wol/send/message', { id, content: contentText(text, []), ...more }),
    move: (id: number, action: string, reason = '') => staff('wol/move', { id, action, reason }),
    rate: (who: TestCustomer, id: number, rating: unknown, solved: unknown) =>
      own(who, 'wol/close', { id, rating, solved }),
    appeal: (who: TestCustomer, id: number, reason = 'still broken') => own(who, 'wol/appeal', { id, reason }),
    news: async (login: string) => (await look(login, `${SYS}/wol/new/msg`)).body,
    query: (text: string, values: unknown[] = []) => at().server.built.context.database.pool.query(text, values),
    upload: async (login: string, purpose = 'workOrder') =>
      String((await callForm(at().server, 'sys/oss/upload', { purpose }, PNG, { token: login })).body.url),
  }
}

/** Fields that a refusal names. */
export const fields = (reply: Reply) => (reply.body.errors as { path: string }[] | undefined)?.map((e) => e.path)
