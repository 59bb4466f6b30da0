/** A new customer's account: name, password, and what the installation binds it to. */
import type { CodeChannel } from '@tidegate/contract/enums'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { accountName, isMail, isPhone } from '@tidegate/contract/validators'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useNavigate } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import { useCaptcha } from '../../shared/captcha.ts'
import { here } from '../../shared/console.ts'
import { dropUnbound, unbound, unboundTicket } from '../../shared/outside.ts'
import { setToken } from '../../shared/token.ts'
import { CaptchaField, Field, type Forms, PasswordPair, PublicPage, useTyped } from './parts.tsx'

type Rules = OutputOf<'register.info'>['data']

const channelsOf = ({ byMail, byMobile }: Rules): CodeChannel[] => [
  ...(byMail ? ['mail' as const] : []),
  ...(byMobile ? ['sms' as const] : []),
]
const FIELDS = ['username', 'password', 'channel', 'address', 'code', 'captcha']

const NAMED: Forms = { username: { fits: (text) => accountName.safeParse(text).success, key: 'name_form' } }
const ADDRESSED: Record<CodeChannel, Forms> = {
  mail: { address: { fits: isMail, key: 'email' } },
  sms: { address: { fits: isPhone, key: 'phone' } },
}

const ChannelChoice = ({
  channels,
  channel,
  onChannel,
}: {
  channels: readonly CodeChannel[]
  channel: CodeChannel
  onChannel: (channel: CodeChannel) => void
}) => {
  const { t } = useTranslation('register')
  const words: Record<CodeChannel, string> = { mail: t('byMail'), sms: t('byMobile') }
  return (
    <fieldset className="register-channels">
      <legend>{t('bindTo')}</legend>
      {channels.map((c) => (
        <label key={c}>
          <input type="radio" name="channel" checked={c === channel} onChange={() => onChannel(c)} />
          {words[c]}
        </label>
      ))}
    </fieldset>
  )
}

const Form = ({ rules }: { rules: Rules }) => {
  const { t } = useTranslation('register')
  const navigate = useNavigate()
  const channels = channelsOf(rules)
  const [channel, setChannel] = useState<CodeChannel | undefined>(channels[0])
  const captcha = useCaptcha(true)
  const { values, set, errors, busy, missing, run } = useTyped()
  const [sent, setSent] = useState(false)
  const [wechat, setWechat] = useState(unbound)
  const forgetWechat = () => {
    dropUnbound()
    setWechat(null)
  }
  const { username = '', password = '', address = '', code = '' } = values
  const bindForms = channel === undefined ? {} : ADDRESSED[channel]
  const proof = { uuid: captcha.uuid, captcha: (values.captcha ?? '').trim() }
  const sendCode = async () => {
    if (channel === undefined) return
    const done = await run(
      missing(['address', 'captcha'], undefined, bindForms),
      async () => void (await call('register.code', { channel, address: address.trim(), ...proof }, { quiet: true })),
      FIELDS,
    )
    // A captcha is good for one try.
    captcha.renew()
    set('captcha')('')
    if (done) setSent(true)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const bound = channel === undefined ? proof : { channel, address: address.trim(), code: code.trim() }
    const done = await run(
      missing(['username', 'password', ...(channel === undefined ? ['captcha'] : ['address', 'code'])], 'password', {
        ...NAMED,
        ...bindForms,
      }),
      async () => {
        const input = { username: username.trim(), password, ...bound, ...unboundTicket() }
        const { token } = await call('register.save', input, { quiet: true }).catch((error: unknown) => {
          // Without it the registration goes on.
          if (error instanceof ApiError && error.failure.error === 'ticket_expired') forgetWechat()
          throw error
        })
        setToken(token)
        dropUnbound()
      },
      FIELDS,
    )
    if (done) await navigate('/console', { replace: true })
    else if (channel === undefined) {
      captcha.renew()
      set('captcha')('')
    }
  }
  const captchaField = (
    <CaptchaField captcha={captcha} value={values.captcha ?? ''} errors={errors} onChange={set('captcha')} />
  )
  return (
    <form onSubmit={(e) => void submit(e)} noValidate>
      <p className="login-alert" role="alert">
        {errors.form ?? ''}
      </p>
      {wechat === null ? null : (
        <section className="login-note" aria-label={t('wechat')}>
          <p>{t('wechatText', { nickname: wechat.nickname })}</p>
          <div className="login-ways">
            <button type="button" className="tg-link-button" onClick={forgetWechat}>
              {t('wechatDrop')}
            </button>
          </div>
        </section>
      )}
      <Field
        name="username"
        label={t('username')}
        autoComplete="username"
        value={username}
        errors={errors}
        hint={t('usernameHint')}
        onChange={set('username')}
      />
      <PasswordPair name="password" values={values} errors={errors} set={set} />
      {channel === undefined ? (
        captchaField
      ) : (
        <>
          {channels.length > 1 ? <ChannelChoice channels={channels} channel={channel} onChannel={setChannel} /> : null}
          <Field
            name="address"
            label={channel === 'mail' ? t('mail') : t('mobile')}
            autoComplete={channel === 'mail' ? 'email' : 'tel'}
            value={address}
            errors={errors}
            onChange={set('address')}
          />
          {captchaField}
          <Field
            name="code"
            label={t('code')}
            autoComplete="one-time-code"
            value={code}
            errors={errors}
            {...(sent ? { hint: t('codeSent') } : {})}
            onChange={set('code')}
            after={
              <button type="button" className="register-send" disabled={busy} onClick={() => void sendCode()}>
                {t('sendCode')}
              </button>
            }
          />
        </>
      )}
      <button type="submit" className="login-submit" disabled={busy}>
        {t('register')}
      </button>
    </form>
  )
}

const Body = () => {
  const { t } = useTranslation('register')
  const [rules, setRules] = useState<Rules>()
  const [failed, setFailed] = useState('')
  useEffect(() => {
    call('register.info', {}, { quiet: true, keep: true }).then(
      ({ data }) => setRules(data),
      (error: unknown) => setFailed(errorLine(error)),
    )
  }, [])
  if (failed !== '') return <p role="alert">{failed}</p>
  if (rules === undefined) return null
  return rules.closed ? <p role="alert">{t('closed')}</p> : <Form rules={rules} />
}

export const Page = () => {
  const { t } = useTranslation('register')
  // Administrators are made by administrators.
  if (here.audience === 'admin') return <Navigate to="/login" replace />
  return (
    <PublicPage title={t('registerTitle')}>
      <Body />
    </PublicPage>
  )
}
