/** What new passwords must have, by the installation's setting. */
import { fitsPolicy, type PasswordPolicy } from '@tidegate/contract/config/login'
import { fieldError } from '../../platform/errors.ts'

/** Throws the error of the field `path` when a new password lacks what the policy asks for. */
export type CheckPassword = (path: string, password: string) => Promise<void>

export const createPasswordCheck =
  (policy: () => Promise<PasswordPolicy>): CheckPassword =>
  async (path, password) => {
    const asked = await policy()
    if (!fitsPolicy(password, asked))
      throw fieldError(path, 'password_policy', { min: asked.minLength, classes: asked.classes })
  }
