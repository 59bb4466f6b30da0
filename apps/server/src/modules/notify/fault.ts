/** Why a delivery did not succeed, and whether another try makes sense. */
import type { NotifyFault } from '@tidegate/contract/config/notify'

export class DeliveryError extends Error {
  constructor(
    readonly fault: NotifyFault,
    /** The peer's words; secrets are taken out before they are stored. */
    message: string,
    readonly next: 'retry' | 'fail' | 'unknown' | 'skip',
  ) {
    super(message)
  }
}

/** Someone else has taken the notice over. */
export class LostLease extends Error {
  override readonly name = 'LostLease'
}

/** Replaces each secret by stars, also in the forms in which a peer may repeat it, and cuts the text. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string => {
  const forms = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
  return forms
    .reduce((rest, secret) => rest.replaceAll(secret, '******'), text)
    .replace(/[\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 1000)
}
