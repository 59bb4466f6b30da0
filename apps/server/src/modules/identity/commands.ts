/** `admin reset-password|unlock`: run on the server itself, by who may read its secrets. */
import { parseArgs } from 'node:util'
import { password as passwordForm } from '@tidegate/contract/validators'
import type { Command } from '../../platform/part.ts'
import { newPassword, resetPassword, unlock } from './admins.ts'

type Deps = Parameters<typeof resetPassword>[0]

const nameIn = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: { name: { type: 'string', default: 'admin' } } }).values.name

/** Prints the new password once: `given` (TIDEGATE_ADMIN_PASSWORD) or a generated one. */
export const resetPasswordCommand =
  (deps: Deps, given: string | undefined): Command =>
  async (args, print) => {
    const name = nameIn(args)
    const password = given ?? newPassword()
    if (!passwordForm.safeParse(password).success) {
      print('error: TIDEGATE_ADMIN_PASSWORD must have 4 to 32 characters and no Chinese ones')
      return 2
    }
    if (!(await resetPassword(deps, name, password))) {
      print(`error: no account ${name}`)
      return 1
    }
    print(`account: ${name}`)
    print(`password: ${given ? '(TIDEGATE_ADMIN_PASSWORD)' : password}`)
    return 0
  }

export const unlockCommand =
  (deps: Deps): Command =>
  async (args, print) => {
    const name = nameIn(args)
    const found = await unlock(deps, name)
    print(found ? `unlocked: ${name}` : `error: no account ${name}`)
    return found ? 0 : 1
  }
