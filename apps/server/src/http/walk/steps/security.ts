/** Second factors, open logins, allowed addresses, API keys; then what an administrator does to those of others. */
import { generate } from 'otplib'
import { ADMIN_PASSWORD, call, type Reply } from '../../../testing/app.ts'
import { softPasskey } from '../../../testing/authenticator.ts'
import { startOidcProvider, type TestProvider } from '../../../testing/oidc.ts'
import { PASSWORDS, type Step, type Steps } from '../walk.ts'
import { enter } from './enter.ts'

const CUSTOMER = 'walking-customer'
const WHITE = { whiteIpStatus: 1, whiteIps: ['198.51.100.0/24'] }

export const security: Steps = (walk) => {
  const { got, keepId, secret } = walk
  const held = {
    totp: '',
    ticket: '',
    url: '',
    options: {} as Record<string, unknown>,
    provider: null as TestProvider | null,
  }
  const passkey = softPasskey()
  const totp = () => generate({ secret: held.totp, epoch: Math.floor(walk.server().clock.now() / 1000) })
  const keepFactor = ({ body }: Reply) => {
    got.factor = (body.data as { factors: { id: number }[] }).factors[0]?.id ?? 0
  }
  /** Sets up an app, logs in with it, takes it away again. */
  const withApp = (as: 'admin' | 'user', login: 'sys/login' | 'app/login', username: string): Step[] => [
    {
      id: 'security.totp',
      as,
      input: () => ({ password: ADMIN_PASSWORD }),
      trace: 'none',
      keep: ({ body }) => {
        held.totp = String(body.secret)
        secret(held.totp, 'security.totp')
      },
    },
    {
      id: 'security.totpConfirm',
      as,
      input: async () => ({ code: await totp() }),
      trace: 'after',
      keep: ({ body }) => {
        for (const code of body.recoveryCodes as string[]) secret(code, 'security.totpConfirm')
      },
    },
    {
      id: as === 'admin' ? 'auth.second' : 'auth.userSecond',
      as,
      input: async () => {
        // A code is good once.
        walk.server().clock.advance(60)
        const asked = await call(walk.server(), login, {
          body: { username, password: ADMIN_PASSWORD },
          ip: '198.51.100.7',
        })
        return { ticket: asked.body.ticket, code: await totp() }
      },
      trace: 'none',
      keep: ({ body }) => {
        secret(String(body.token), as === 'admin' ? 'auth.second' : 'auth.userSecond')
        if (as === 'admin') walk.setToken(String(body.token))
        else walk.setCustomerToken(String(body.token))
      },
    },
    { id: 'security.info', as, keep: keepFactor },
  ]
  return [
    ...withApp('user', 'app/login', CUSTOMER),
    {
      id: 'security.passkey',
      as: 'user',
      input: () => ({ password: ADMIN_PASSWORD }),
      trace: 'none',
      keep: ({ body }) => {
        held.ticket = String(body.ticket)
        held.options = body.options as Record<string, unknown>
      },
    },
    {
      id: 'security.passkeyConfirm',
      as: 'user',
      input: () => ({ ticket: held.ticket, name: 'Walking key', response: passkey.create(held.options) }),
      trace: 'after',
    },
    {
      id: 'security.recovery',
      as: 'user',
      input: () => ({ password: ADMIN_PASSWORD }),
      trace: 'none',
      keep: ({ body }) => {
        for (const code of body.recoveryCodes as string[]) secret(code, 'security.recovery')
      },
    },
    { id: 'security.whiteIp', as: 'user', input: () => WHITE, trace: 'both' },
    { id: 'security.revoke', as: 'user', trace: 'before' },
    {
      id: 'apikey.save',
      as: 'user',
      input: () => ({ name: 'Walk', scopes: ['cdn:account:apikey'] }),
      trace: 'after',
      keep: (reply) => {
        keepId('key')(reply)
        secret(String(reply.body.key), 'apikey.save')
      },
    },
    { id: 'apikey.list', as: 'user' },
    { id: 'apikey.enable', as: 'user', input: () => ({ id: got.key, enabled: false }), trace: 'both' },
    { id: 'apikey.delete', as: 'user', input: () => ({ ids: [got.key] }), trace: 'before' },
    {
      id: 'account.info',
      as: 'user',
      keep: ({ body }) => {
        got.customer = (body.user as { userId: number }).userId
      },
    },
    { id: 'userSecurity.info', input: () => ({ id: got.customer }) },
    {
      id: 'userSecurity.whiteIp',
      input: () => ({ id: got.customer, whiteIpStatus: 0, whiteIps: [] }),
      trace: 'both',
    },
    { id: 'userSecurity.revoke', input: () => ({ id: got.customer }), trace: 'before' },
    { id: 'userSecurity.factorReset', input: () => ({ id: got.customer }), trace: 'before' },
    ...enter(walk).filter((step) => step.id === 'auth.userLogin'),
    ...withApp('admin', 'sys/login', 'admin'),
    {
      id: 'security.factorDelete',
      input: () => ({ id: got.factor, password: ADMIN_PASSWORD }),
      trace: 'before',
    },
    {
      id: 'config.save',
      input: async () => {
        held.provider = await startOidcProvider('http://localhost/admin/', 'walk-Secret')
        secret('walk-Secret', null)
        const { issuer } = held.provider
        const value = { enabled: true, issuer, clientId: 'tidegate', clientSecret: 'walk-Secret' }
        return { paramKey: 'oidc_config', paramValue: JSON.stringify(value) }
      },
      trace: 'after',
    },
    {
      id: 'auth.oidcLink',
      input: () => ({ password: ADMIN_PASSWORD }),
      keep: ({ body }) => {
        held.ticket = String(body.ticket)
        held.url = String(body.url)
      },
    },
    { id: 'auth.oidcStart' },
    {
      id: 'auth.oidcFinish',
      input: async () => ({ ticket: held.ticket, query: await held.provider?.visit(held.url, 'walker') }),
      trace: 'none',
      keep: ({ body }) => {
        secret(String(body.token), 'auth.oidcFinish')
        walk.setToken(String(body.token))
      },
    },
    {
      id: 'admin.save',
      input: async () => {
        await held.provider?.close()
        return { username: 'walker-two', password: PASSWORDS.third, roleIds: [] }
      },
      trace: 'after',
      keep: keepId('other'),
    },
    { id: 'adminSecurity.info', input: () => ({ id: got.other }) },
    { id: 'adminSecurity.whiteIp', input: () => ({ ...WHITE, id: got.other }), trace: 'both' },
    { id: 'adminSecurity.revoke', input: () => ({ id: got.other }), trace: 'before' },
    { id: 'adminSecurity.factorReset', input: () => ({ id: got.other }), trace: 'before' },
  ]
}
