/** One call to a provider, with its failures put into classes. */
import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingRequest,
  outgoing,
  PrivateAddressError,
} from '../../../platform/outgoing.ts'
import { DeliveryError } from '../fault.ts'

export const PEER_TIMEOUT_MS = 15_000

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/

/** `repeatable`: the peer tells repetitions by the notice's id, so a call without answer may be made again. */
export const callPeer = async (
  request: Omit<OutgoingRequest, 'timeoutMs'> & { timeoutMs?: number; repeatable?: boolean },
): Promise<OutgoingAnswer> => {
  const { repeatable = false, ...rest } = request
  try {
    return await outgoing({ timeoutMs: PEER_TIMEOUT_MS, ...rest })
  } catch (error) {
    if (error instanceof PrivateAddressError) throw new DeliveryError('private_address', error.message, 'fail')
    if (!(error instanceof OutgoingError)) throw error
    if (error.handed && !repeatable) throw new DeliveryError('silent', error.message, 'unknown')
    if (CERTIFICATE.test(error.code)) throw new DeliveryError('certificate', error.message, 'fail')
    throw new DeliveryError(error.handed ? 'silent' : 'unreachable', error.message, 'retry')
  }
}

/** The answer as a JSON object; a peer that answers otherwise is not the one we think. */
export const jsonOf = (answer: OutgoingAnswer): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(answer.text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new DeliveryError(
    answer.status >= 500 ? 'temporary' : 'refused',
    `HTTP ${answer.status}: ${answer.text.slice(0, 200)}`,
    // The request had been taken: a failing server may have acted on it.
    answer.status >= 500 ? 'unknown' : 'fail',
  )
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
