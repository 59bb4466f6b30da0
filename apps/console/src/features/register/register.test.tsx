// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type Rule, SAMPLES } from '@tidegate/contract/testing/samples'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Routes, windowAddress } from '../../app/router.tsx'
import { chooseLang } from '../../shared/i18n.ts'
import { token } from '../../shared/token.ts'
import { inBrowser } from '../../testing/browser.ts'
import { INDEX } from '../../testing/fixtures.ts'
import { press } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:captcha', revokeObjectURL: () => {} }))
})

const rules = (more: object = {}) => ({ data: { closed: false, byMail: false, byMobile: false, ...more } })
const answers = (more: object = {}) => ({
  'common.index': () => INDEX,
  captcha: () => ({}),
  'register.info': () => rules(more),
  'register.code': () => ({}),
  'register.save': () => ({ token: 'fresh', expire: 7200 }),
  'forgot.send': () => ({}),
  'forgot.reset': () => ({}),
})
const open = (hash: string) => {
  window.location.hash = hash
  render(<Routes address={windowAddress()} />)
}
const hash = () => window.location.hash
const type = async (name: string, value: string) => {
  const field = await waitFor(() => {
    const found = document.querySelector<HTMLInputElement>(`input[name="${name}"]`)
    if (found === null) throw new Error(`no field ${name}`)
    return found
  })
  fireEvent.change(field, { target: { value } })
}
const submit = () => fireEvent.submit(document.querySelector('form') ?? document.body)
const faultOf = (name: string) => document.getElementById(`${name}-error`)?.textContent ?? ''
const sent = (seen: readonly { id: string; input: unknown }[], id: string) =>
  seen.filter((s) => s.id === id).map((s) => s.input)

describe('the pages for who has no login', () => {
  it.each([
    ['/register', 'Register', '注册'],
    ['/forgot', 'Forgot password', '忘记密码'],
    ['/reset-password', 'Reset password', '重置密码'],
  ])('%s stands open without a token, in both languages [S2.41]', async (path, en, zh) => {
    const { seen } = peer(answers())
    open(`#${path}`)
    expect(await screen.findByRole('heading', { name: en })).toBeTruthy()
    await waitFor(() => expect(document.querySelector('form')).not.toBeNull())
    expect(hash()).toBe(`#${path}`)
    expect(token()).toBeNull()
    expect(seen.every((s) => s.headers.get('token') === null)).toBe(true)
    chooseLang('zh')
    expect(await screen.findByRole('heading', { name: zh })).toBeTruthy()
  })

  it.each([
    ['en', 'Registration is closed here'],
    ['zh', '本站已关闭注册'],
  ] as const)('offer no registration where it is closed (%s) [S2.41 S6.4]', async (lang, text) => {
    chooseLang(lang)
    peer(answers({ closed: true }))
    open('#/register')
    expect(await screen.findByText(text)).toBeTruthy()
    expect(document.querySelector('form, input')).toBeNull()
  })

  it('register with a captcha alone where no channel is asked for, and log in [S2.41]', async () => {
    const { seen } = peer(answers())
    open('#/register')
    await type('username', 'new-one')
    await type('password', 'good-1')
    await type('again', 'good-1')
    await type('captcha', 'abcd')
    await waitFor(() => expect(document.querySelector('.login-captcha img')).not.toBeNull())
    submit()
    await waitFor(() => expect(token()).toBe('fresh'))
    expect(sent(seen, 'register.save')).toEqual([
      { username: 'new-one', password: 'good-1', uuid: expect.any(String), captcha: 'abcd' },
    ])
    await waitFor(() => expect(hash().startsWith('#/register')).toBe(false))
  })

  it('send a code to who forgot the password, and take a new one with it [S2.41]', async () => {
    const { seen } = peer(answers())
    open('#/forgot')
    await type('address', '13800138000')
    await type('captcha', 'abcd')
    await waitFor(() => expect(document.querySelector('.login-captcha img')).not.toBeNull())
    submit()
    await waitFor(() => expect(hash()).toBe('#/reset-password?address=13800138000'))
    expect(sent(seen, 'forgot.send')).toEqual([{ address: '13800138000', uuid: expect.any(String), captcha: 'abcd' }])
    await type('code', '123456')
    await type('newPassword', 'fresh-1')
    await type('again', 'fresh-1')
    submit()
    expect(await screen.findByText('Password changed, please log in again')).toBeTruthy()
    expect(sent(seen, 'forgot.reset')).toEqual([{ address: '13800138000', code: '123456', newPassword: 'fresh-1' }])
    expect(token()).toBeNull()
  })

  it.each(['/register', '/reset-password'])(
    '%s takes both passwords alike only, and none in Chinese [S5.6]',
    async (path) => {
      const { seen } = peer(answers())
      const name = path === '/register' ? 'password' : 'newPassword'
      for (const [lang, differ] of [
        ['en', 'The two passwords differ'],
        ['zh', '两次输入的密码不一致'],
      ] as const) {
        chooseLang(lang)
        if (lang === 'en') open(`#${path}`)
        await type(name, '密码密码')
        await type('again', 'other-1')
        submit()
        await waitFor(() => expect([faultOf(name), faultOf('again')]).toEqual([SAMPLES.password[lang], differ]))
      }
      expect(seen.some((s) => s.id === 'register.save' || s.id === 'forgot.reset')).toBe(false)
    },
  )

  const FIELDS: [Rule, string, object][] = [
    ['name', 'username', {}],
    ['password', 'password', {}],
    ['email', 'address', { byMail: true }],
    ['phone', 'address', { byMobile: true }],
  ]
  it.each(FIELDS)('judge %s by the same rule as the server, in both languages [S5.10]', async (rule, name, more) => {
    const { seen } = peer(answers(more))
    open('#/register')
    for (const lang of ['en', 'zh'] as const) {
      chooseLang(lang)
      for (const value of SAMPLES[rule].wrong.filter((text) => !/[\n\r]/.test(text))) {
        await type(name, value)
        submit()
        await waitFor(() => expect([value, faultOf(name)]).toEqual([value, SAMPLES[rule][lang]]))
      }
      for (const value of SAMPLES[rule].right) {
        await type(name, value)
        submit()
        await waitFor(() => expect([value, faultOf(name)]).toEqual([value, '']))
      }
    }
    expect(seen.some((s) => s.id === 'register.save')).toBe(false)
  })

  it('ask for a code at the address that was typed [S2.41]', async () => {
    const { seen } = peer(answers({ byMail: true }))
    open('#/register')
    await type('address', 'new@mail.example')
    await type('captcha', 'abcd')
    await waitFor(() => expect(document.querySelector('.login-captcha img')).not.toBeNull())
    await press('Send code')
    expect(await screen.findByText(/^The code was sent/)).toBeTruthy()
    expect(sent(seen, 'register.code')).toEqual([
      { channel: 'mail', address: 'new@mail.example', uuid: expect.any(String), captcha: 'abcd' },
    ])
  })
})
