/** The general rules of the specification's section 5, at every operation that takes such a field: the samples are those of the console's tests. */
import { LANGUAGES } from '@tidegate/contract/enums'
import { type OperationId, operations } from '@tidegate/contract/operations/index'
import { type Rule, SAMPLES } from '@tidegate/contract/testing/samples'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from '../testing/app.ts'
import { createCustomer } from '../testing/customers.ts'

type Place = [rule: Rule, id: OperationId, field: string, body: (value: string) => object]

const CAPTCHA = { uuid: 'field-rules', captcha: 'abcd' }
const WHO = { username: 'some.body', password: 'good-1' }
const named = (username: string) => ({ ...WHO, username })
const link = (href: string) => `<p><a href="${href}">there</a></p>`

const PLACES: Place[] = [
  ['password', 'admin.password', 'newPassword', (newPassword) => ({ password: 'old', newPassword })],
  ['password', 'account.password', 'newPassword', (newPassword) => ({ password: 'old', newPassword })],
  ['password', 'admin.save', 'password', (password) => ({ ...WHO, password })],
  ['password', 'admin.resetPassword', 'newPassword', (newPassword) => ({ id: 1, newPassword })],
  ['password', 'customer.save', 'password', (password) => ({ ...WHO, password })],
  ['password', 'customer.password', 'newPassword', (newPassword) => ({ id: 1, newPassword })],
  ['password', 'register.save', 'password', (password) => ({ ...WHO, password, ...CAPTCHA })],
  ['password', 'forgot.reset', 'newPassword', (newPassword) => ({ address: 'a@b.co', code: '123456', newPassword })],
  ['name', 'admin.save', 'username', named],
  ['name', 'admin.update', 'username', (username) => ({ id: 1, username })],
  ['name', 'customer.save', 'username', named],
  ['name', 'customer.update', 'username', (username) => ({ id: 1, username })],
  ['name', 'register.save', 'username', (username) => ({ ...named(username), ...CAPTCHA })],
  ['phone', 'customer.save', 'mobile', (mobile) => ({ ...WHO, mobile })],
  ['phone', 'customer.update', 'mobile', (mobile) => ({ id: 1, username: WHO.username, mobile })],
  ['phone', 'register.code', 'address', (address) => ({ channel: 'sms', address, ...CAPTCHA })],
  ['phone', 'profile.code', 'address', (address) => ({ channel: 'sms', address })],
  ['phone', 'profile.bind', 'address', (address) => ({ channel: 'sms', address, code: '123456', password: 'x' })],
  ['email', 'customer.save', 'email', (email) => ({ ...WHO, email })],
  ['email', 'customer.update', 'email', (email) => ({ id: 1, username: WHO.username, email })],
  ['email', 'register.code', 'address', (address) => ({ channel: 'mail', address, ...CAPTCHA })],
  ['email', 'profile.code', 'address', (address) => ({ channel: 'mail', address })],
  ['email', 'profile.bind', 'address', (address) => ({ channel: 'mail', address, code: '123456', password: 'x' })],
  ['idCard', 'profile.realName', 'idCard', (idCard) => ({ realName: '张三丰', idCard, consent: true })],
  ['url', 'message.save', 'content', (href) => ({ title: 'a', type: 1, content: link(href) })],
]

const operationOf = (id: OperationId) => {
  const found = operations.find((op) => op.id === id)
  if (found === undefined) throw new Error(`no operation ${id}`)
  return found
}

describe('a field of the general rules', () => {
  let server: TestServer
  const tokens = { admin: '', user: '' }
  beforeAll(async () => {
    server = await testServer()
    tokens.admin = await adminToken(server)
    tokens.user = (await createCustomer(server, 'field-rules')).token
  })
  afterAll(() => server.close())

  it('is covered for each rule', () => {
    expect([...new Set(PLACES.map(([rule]) => rule))].sort()).toEqual(Object.keys(SAMPLES).sort())
  })

  it.each(PLACES)('%s of %s, %s: is taken when right', (rule, id, _field, body) => {
    for (const value of SAMPLES[rule].right) {
      const { error } = operationOf(id).input.safeParse(body(value))
      expect([value, error?.issues ?? []]).toEqual([value, []])
    }
  })

  it.each(PLACES)(
    '%s of %s: %s is refused in the caller’s language when wrong [S5.6 S5.10]',
    async (rule, id, field, body) => {
      const { path, audience } = operationOf(id)
      for (const value of SAMPLES[rule].wrong) {
        for (const lang of LANGUAGES) {
          const reply = await call(server, path, {
            token: audience === 'public' ? undefined : tokens[audience === 'user' ? 'user' : 'admin'],
            headers: { lang },
            body: body(value),
          })
          expect([value, reply.status, reply.body.errors]).toEqual([
            value,
            400,
            [{ path: field, msg: SAMPLES[rule][lang] }],
          ])
        }
      }
    },
  )
})
