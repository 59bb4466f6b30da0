// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { MAIL_PRESETS, mailConfig } from '@tidegate/contract/config/mail'
import { SECRET_MASK } from '@tidegate/contract/config/record'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { describe, expect, it } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { press, showPage } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page as MailPage } from './MailPage.tsx'
import { asOperator, control, listed, row, SAVE, saidBy, show, type } from './testing.tsx'

asOperator()

describe('the mail form', () => {
  const FIELDS = [
    ['host', 'SMTP server', 'SMTP 服务器', 'the SMTP server cannot be empty', 'SMTP 服务器不能为空'],
    ['username', 'Sender mailbox', '发件邮箱', 'the sender mailbox cannot be empty', '发件邮箱不能为空'],
    [
      'password',
      'Authorization password',
      '授权密码',
      'the authorization password cannot be empty',
      '授权密码不能为空',
    ],
  ] as const

  it.each(FIELDS)(
    'asks for %s on blur and on change, in both languages [S5.5]',
    async (path, en, zh, enText, zhText) => {
      show(MailPage, [row(20, 'mail_config', null)])
      fireEvent.blur(await control(en))
      await screen.findByText(enText)
      await type(en, path === 'username' ? 'a@example.com' : 'x')
      await waitFor(() => expect(screen.queryByText(enText)).toBeNull())
      await type(en, '')
      await screen.findByText(enText)
      chooseLang('zh')
      await control(zh)
      await screen.findByText(zhText)
      const blank = { host: '', username: '', password: '', port: 465 }
      expect(saidBy(mailConfig, blank, 'zh').find((e) => e.path === path)?.msg).toBe(zhText)
    },
  )

  it('says that the port cannot be empty, and goes back to its least when it is cleared [S5.5]', async () => {
    expect(saidBy(mailConfig, { host: 'a.b', username: 'a@b.cd', password: 'x', port: '' }, 'en')).toEqual([
      { path: 'port', msg: 'the port cannot be empty' },
    ])
    show(MailPage, [row(20, 'mail_config', null)])
    await type('Port', '')
    expect((await control('Port')).value).toBe('1')
  })

  it('offers the six presets; port and security follow the chosen one; the password stays masked [S2.22]', async () => {
    expect(MAIL_PRESETS).toHaveLength(6)
    const stored = {
      protocol: 'smtp',
      host: 'old.example.com',
      username: 'a@b.cd',
      password: SECRET_MASK,
      port: 465,
      tls: 'implicit',
      fromName: '',
      templates: [],
    }
    const { saved } = show(MailPage, [row(20, 'mail_config', stored)])
    const server = await control('SMTP server')
    const secret = await control('Authorization password')
    expect([secret.type, secret.value]).toEqual(['password', SECRET_MASK])
    for (const preset of MAIL_PRESETS) {
      fireEvent.change(server, { target: { value: preset.host } })
      expect((await control('Port')).value).toBe(String(preset.port))
    }
    const office = MAIL_PRESETS.find((p) => p.id === 'office365')
    fireEvent.change(server, { target: { value: office?.host } })
    await press(SAVE.en)
    await waitFor(() =>
      expect(saved()).toMatchObject({ host: 'smtp.office365.com', port: 587, tls: 'starttls', password: SECRET_MASK }),
    )
    await screen.findByText('Configuration saved successfully')
  })

  it('sends a test mail with the form as it stands, and shows what the other side answered', async () => {
    let answer: OutputOf<'notify.testMail'>['data'] = { ok: false, fault: 'auth', answer: '535 wrong code' }
    const stored = { host: 'smtp.qq.com', username: 'a@b.cd', password: SECRET_MASK, port: 465 }
    const { seen } = peer({
      'config.list': () => listed([row(20, 'mail_config', stored)]),
      'notify.testMail': () => ({ data: answer }),
    })
    showPage(MailPage)
    await type('SMTP server', 'smtp.gmail.com')
    await press('Send test mail')
    await screen.findByText('is not an e-mail address')
    expect(seen.some((s) => s.id === 'notify.testMail')).toBe(false)
    await type('Recipient', 'me@example.com')
    await press('Send test mail')
    await screen.findByText('Account or password was refused')
    await screen.findByText('535 wrong code')
    const sent = seen.findLast((s) => s.id === 'notify.testMail')
    expect(sent?.input).toMatchObject({
      to: 'me@example.com',
      config: { host: 'smtp.gmail.com', password: SECRET_MASK },
    })
    answer = { ok: true, fault: 'none', answer: '250 taken' }
    await press('Send test mail')
    await screen.findByText('250 taken')
    expect(screen.queryByText('535 wrong code')).toBeNull()
  })

  it('shows what the server refuses at its field, and a change by someone else above the form', async () => {
    let refusal = new Refusal(400, {
      error: 'invalid_input',
      msg: 'x',
      errors: [{ path: 'paramValue.username', msg: 'not this one' }],
    })
    peer({
      'config.list': () =>
        listed([row(20, 'mail_config', { host: 'a.b', username: 'a@b.cd', password: SECRET_MASK, port: 465 })]),
      'config.update': () => refusal,
    })
    showPage(MailPage)
    await type('SMTP server', 'b.c')
    await press(SAVE.en)
    await screen.findByText('not this one')
    refusal = new Refusal(409, { error: 'conflict', msg: 'changed' })
    await press(SAVE.en)
    await screen.findByText('Someone else changed it in between')
  })
})
