/** Customers: what the operator does with them, what they do themselves, acting for them, registration. */

import { ADMIN_PASSWORD } from '../../../testing/app.ts'
import { CAPTCHA_TEXT } from '../../../testing/captcha.ts'
import { CODE } from '../../../testing/codes.ts'
import { type Body, PASSWORDS, type Step, type Steps } from '../walk.ts'

const ID_CARD = '11010519491231002X'
const MAIL = 'walker@mail.example'
const UUID = 'walk-0002'

export const customers: Steps = (walk) => {
  const { got, keepId, secret, setCustomerToken } = walk
  const fields = () => ({ username: 'walked-customer', note: 'of the walk' })
  const own = (id: Step['id'], input: Body = {}, trace: Step['trace'] = 'none'): Step => ({
    id,
    as: 'user',
    input: () => input,
    trace,
  })
  const captcha: Step = { id: 'captcha', input: () => ({ uuid: UUID }) }
  const proof = { uuid: UUID, captcha: CAPTCHA_TEXT }
  let code = ''
  const keepCode = (id: 'customer.impersonate' | 'role.preview') => (reply: { body: Body }) => {
    code = String(reply.body.handover)
    secret(code, id)
  }
  return [
    {
      id: 'customer.save',
      input: () => ({ ...fields(), password: PASSWORDS.third }),
      trace: 'after',
      keep: keepId('customer'),
    },
    { id: 'customer.update', input: () => ({ ...fields(), id: got.customer, email: 'c@mail.example' }), trace: 'both' },
    { id: 'customer.note', input: () => ({ id: got.customer, note: 'walked on' }), trace: 'both' },
    { id: 'customer.enable', input: () => ({ ids: [got.customer], enabled: false }), trace: 'both' },
    {
      id: 'customer.password',
      input: () => ({ id: got.customer }),
      trace: 'none',
      keep: (reply) => secret(String(reply.body.password), 'customer.password'),
    },
    { id: 'customer.list' },
    { id: 'customer.info', input: () => ({ id: got.customer }) },
    { id: 'customer.options' },
    { id: 'customer.delete', input: () => ({ ids: [got.customer] }), trace: 'before' },
    own('profile.realName', { realName: '张三', idCard: ID_CARD, consent: true }, 'both'),
    {
      id: 'profile.info',
      as: 'user',
      keep: (reply) => {
        got.me = Number((reply.body.data as Body).id)
        secret(ID_CARD, null)
      },
    },
    { id: 'customer.verify', input: () => ({ id: got.me, approve: true }), trace: 'both' },
    own('profile.code', { channel: 'mail', address: MAIL }),
    own('profile.bind', { channel: 'mail', address: MAIL, code: CODE, password: ADMIN_PASSWORD }, 'both'),
    { id: 'overview.chart', as: 'user' },
    { id: 'overview.own', as: 'user' },
    { id: 'userLog.list' },
    { id: 'userLog.filters' },
    {
      id: 'ownLog.list',
      as: 'user',
      keep: (reply) => {
        got.entry = (reply.body as { data: { list: { id: number }[] } }).data.list[0]?.id ?? 0
      },
    },
    { id: 'ownLog.filters', as: 'user' },
    { id: 'ownLog.info', as: 'user', input: () => ({ id: got.entry }) },
    { id: 'userLog.info', input: () => ({ id: got.entry }) },
    {
      id: 'customer.impersonate',
      input: () => ({ id: got.me, reason: 'asked for help' }),
      trace: 'after',
      keep: keepCode('customer.impersonate'),
    },
    {
      id: 'acting.enter',
      as: 'user',
      input: () => ({ code }),
      trace: 'after',
      keep: (reply) => {
        setCustomerToken(String(reply.body.token))
        secret(String(reply.body.token), 'acting.enter')
      },
    },
    own('acting.leave'),
    {
      id: 'auth.userLogin',
      as: 'user',
      input: () => ({ username: MAIL, password: ADMIN_PASSWORD }),
      trace: 'none',
      keep: (reply) => setCustomerToken(String(reply.body.token)),
    },
    { id: 'role.preview', input: () => ({ id: 1 }), trace: 'none', keep: keepCode('role.preview') },
    { id: 'register.info' },
    captcha,
    {
      id: 'register.code',
      input: () => ({ channel: 'mail', address: 'new@mail.example', ...proof }),
      trace: 'none',
    },
    {
      id: 'register.save',
      input: () => ({
        username: 'walked-in',
        password: PASSWORDS.third,
        channel: 'mail',
        address: 'new@mail.example',
        code: CODE,
      }),
      actor: { kind: 'user', name: 'walked-in' },
      trace: 'after',
      keep: (reply) => secret(String(reply.body.token), 'register.save'),
    },
    captcha,
    { id: 'forgot.send', input: () => ({ address: 'new@mail.example', ...proof }), trace: 'none' },
    {
      id: 'forgot.reset',
      input: () => ({ address: 'new@mail.example', code: CODE, newPassword: PASSWORDS.second }),
      actor: { kind: 'user', name: 'walked-in' },
      trace: 'none',
    },
  ]
}
