/** Machine words that the server and the nodes send, put into a person's words. One that is not known here stands as it came. */
import type { TFunction } from 'i18next'

type Words = TFunction<'shared'>

/** A node's alert. */
export const alertWords = (t: Words, alert: string): string => {
  const known: Record<string, string> = {
    clock_skew: t('alertClockSkew'),
    config_from_disk: t('alertConfigFromDisk'),
    engine_down: t('alertEngineDown'),
    low_disk: t('alertLowDisk'),
    lying_ack: t('alertLyingAck'),
    origin_private: t('alertOriginPrivate'),
    origin_unresolved: t('alertOriginUnresolved'),
    spool_full: t('alertSpoolFull'),
  }
  return known[alert] ?? alert
}

/** Why a node refused a resource. */
export const refusalWords = (t: Words, reason: string): string => {
  const known: Record<string, string> = {
    certificate: t('refusedCertificate'),
    compile: t('refusedCompile'),
    full: t('refusedFull'),
    private_origin: t('refusedPrivateOrigin'),
    schema: t('refusedSchema'),
    unknown_kind: t('refusedUnknownKind'),
  }
  return known[reason] ?? reason
}

/** What kind of resource a node refused. */
export const resourceWords = (t: Words, kind: string): string => {
  const known: Record<string, string> = {
    cert: t('kindCert'),
    purge: t('kindPurge'),
    settings: t('kindSettings'),
    site: t('kindSite'),
  }
  return known[kind] ?? kind
}
