/** The first login, and what the consoles read at once. */
import { ADMIN_PASSWORD } from '../../../testing/app.ts'
import type { Steps } from '../walk.ts'

export const enter: Steps = ({ setToken, setCustomerToken, secret }) => [
  { id: 'captcha', input: () => ({ uuid: 'walk-0001' }) },
  {
    id: 'auth.login',
    input: () => ({ username: 'admin', password: ADMIN_PASSWORD }),
    trace: 'none',
    keep: (reply) => {
      setToken(String(reply.body.token))
      secret(String(reply.body.token), 'auth.login')
    },
  },
  {
    id: 'auth.userLogin',
    as: 'user',
    input: () => ({ username: 'walking-customer', password: ADMIN_PASSWORD }),
    trace: 'none',
    keep: (reply) => {
      setCustomerToken(String(reply.body.token))
      secret(String(reply.body.token), 'auth.userLogin')
    },
  },
  { id: 'admin.info' },
  { id: 'account.info', as: 'user' },
  { id: 'common.index' },
  { id: 'common.enums' },
  { id: 'menu.nav' },
  { id: 'menu.nav', as: 'user' },
]
