/** What ends logins comes last. */
import { ADMIN_PASSWORD } from '../../../testing/app.ts'
import { PASSWORDS, type Steps } from '../walk.ts'
import { enter } from './enter.ts'

export const leave: Steps = (walk) => [
  { id: 'auth.userLogout', as: 'user', trace: 'none' },
  ...enter(walk).filter((step) => step.id === 'auth.userLogin'),
  {
    id: 'account.password',
    as: 'user',
    input: () => ({ password: ADMIN_PASSWORD, newPassword: PASSWORDS.third }),
    trace: 'none',
  },
  { id: 'auth.unlock', input: () => ({ password: ADMIN_PASSWORD }), trace: 'none' },
  { id: 'auth.logout', trace: 'none' },
  ...enter(walk).filter((step) => step.id === 'auth.login'),
  {
    id: 'admin.password',
    input: () => ({ password: ADMIN_PASSWORD, newPassword: PASSWORDS.second }),
    trace: 'none',
  },
]
