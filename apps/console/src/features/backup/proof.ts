/** The proof that its owner sits here: password, then a second factor when the server asks for one. Kept until it is used up. */
import { useRef, useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { ApiError } from '../../shared/api/error.ts'

export interface SecondFactor {
  methods: readonly string[]
  ticket: string
  passkey: Record<string, unknown> | null
}

export interface Proving {
  password: string
  /** Of the app, or a recovery code. */
  code?: string | undefined
}

const secondOf = (error: unknown): SecondFactor | null => {
  if (!(error instanceof ApiError) || error.failure.error !== 'second_factor_required') return null
  const { methods, ticket, passkey = null } = error.failure.body
  return {
    methods: Array.isArray(methods) ? methods.map(String) : [],
    ticket: String(ticket),
    passkey: passkey as SecondFactor['passkey'],
  }
}

/** What was typed is six digits of the app, or a recovery code. */
const typed = (code: string) => (/^\d{6}$/.test(code.trim()) ? { code: code.trim() } : { recovery: code.trim() })

const assertionOf = async (options: Record<string, unknown>) => {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']
  return { ...(await startAuthentication({ optionsJSON: options as unknown as Options })) }
}

export const useProof = () => {
  const [second, setSecond] = useState<SecondFactor | null>(null)
  const held = useRef<string | null>(null)
  const prove = async (input: Parameters<typeof call<'backup.prove'>>[1]): Promise<string | null> => {
    try {
      held.current = (await call('backup.prove', input, { quiet: true })).proof
      return held.current
    } catch (error) {
      const asked = secondOf(error)
      if (asked === null) throw error
      setSecond(asked)
      return null
    }
  }
  return {
    second,
    /** null: a second factor is asked for now. */
    prove: async ({ password, code = '' }: Proving): Promise<string | null> => {
      if (held.current !== null) return held.current
      return await prove({ password, ...(code.trim() === '' ? {} : typed(code)) })
    },
    /** Asks the browser for the passkey. Rejects when the person says no. */
    provePasskey: async (password: string): Promise<string | null> => {
      if (second === null || second.passkey === null) return null
      const assertion = await assertionOf(second.passkey)
      return await prove({ password, ticket: second.ticket, assertion })
    },
    /** It was used up, or took too long. */
    forget: () => {
      held.current = null
    },
  }
}
