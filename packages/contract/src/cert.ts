/** Certificates: their states and what leads from one to another, certificate authorities, and why an order fails. */
import type { Lang } from './enums.ts'

type Words = Readonly<Record<Lang, string>>

/** Specification, section 3. `unapplied`: the authority has not been asked yet; `own`: uploaded; `expired`: its time is over. */
export const CERT_STATUSES = ['unapplied', 'applying', 'succeeded', 'failed', 'own', 'expired'] as const
export type CertStatus = (typeof CERT_STATUSES)[number]
/** As it is stored: the clock alone makes a certificate `expired`. */
export type StoredCertStatus = Exclude<CertStatus, 'expired'>

/**
 * What may become of a certificate; everything else is refused. A renewal of a good certificate goes on beside it: whatever becomes of it,
 * the old one stays `succeeded` until its end. One that fails after the end leaves it `expired`.
 */
export const CERT_MOVES: Readonly<Record<CertStatus, readonly CertStatus[]>> = {
  unapplied: ['applying', 'own'],
  applying: ['succeeded', 'failed', 'own'],
  succeeded: ['succeeded', 'expired', 'own'],
  failed: ['applying', 'own'],
  own: ['own', 'expired'],
  expired: ['succeeded', 'own'],
}

export const certMayBecome = (from: CertStatus, to: CertStatus): boolean => CERT_MOVES[from].includes(to)

/** What people see. `notAfter` and `now`: Unix ms; null = there is no certificate yet. */
export const certStatus = (stored: StoredCertStatus, notAfter: number | null, now: number): CertStatus =>
  (stored === 'succeeded' || stored === 'own') && notAfter !== null && notAfter <= now ? 'expired' : stored

/** Of these, nothing is on its way and the authority can be asked (again). Uploaded ones have no authority. */
export const CERT_ORDERABLE: readonly CertStatus[] = ['failed', 'succeeded', 'expired']

export const CERT_SOURCES = ['acme', 'upload'] as const
export type CertSource = (typeof CERT_SOURCES)[number]

/** Where an order stands; the last two are its end. */
export const CERT_STEPS = ['waiting', 'ordering', 'publishing', 'validating', 'finalizing', 'done', 'failed'] as const
export type CertStep = (typeof CERT_STEPS)[number]
export const CERT_ORDER_REASONS = ['apply', 'renew'] as const
export type CertOrderReason = (typeof CERT_ORDER_REASONS)[number]

export const CERT_AUTHORITY_KINDS = ['letsencrypt', 'letsencrypt-staging', 'zerossl', 'google', 'custom'] as const
export type CertAuthorityKind = (typeof CERT_AUTHORITY_KINDS)[number]

/** Directories of the public authorities; `eab`: they want an account of theirs to be named (RFC 8555, 7.3.4). */
export const CERT_AUTHORITIES: Readonly<Record<Exclude<CertAuthorityKind, 'custom'>, { url: string; eab: boolean }>> = {
  letsencrypt: { url: 'https://acme-v02.api.letsencrypt.org/directory', eab: false },
  'letsencrypt-staging': { url: 'https://acme-staging-v02.api.letsencrypt.org/directory', eab: false },
  zerossl: { url: 'https://acme.zerossl.com/v2/DV90', eab: true },
  google: { url: 'https://dv.acme-v02.api.pki.goog/directory', eab: true },
}

export const needsEab = (kind: CertAuthorityKind): boolean => kind !== 'custom' && CERT_AUTHORITIES[kind].eab

/** Names in one certificate: what Let's Encrypt takes. */
export const MAX_CERT_NAMES = 100

/** Orders that a customer may begin in an hour: the limits of authorities are for all customers together. */
export const CERT_ORDERS_PER_HOUR = 20

const words = (zh: string, en: string): Words => ({ zh, en })

/** Why an order failed or is tried again. The authority's own words stand beside it. */
export const CERT_FAULTS = {
  unreachable: words('无法连接证书机构', 'The certificate authority cannot be reached'),
  not_acme: words('该地址不是 ACME 目录', 'There is no ACME directory at this address'),
  busy: words('证书机构暂时无法处理请求', 'The certificate authority cannot handle the request at present'),
  rate_limited: words('证书机构限制了请求频率', 'The certificate authority limits how often it may be asked'),
  account: words('证书机构不接受此账户', 'The certificate authority does not accept the account'),
  eab_required: words(
    '证书机构要求外部账户绑定（EAB），请在证书机构设置中填写',
    'The certificate authority asks for an external account binding: set it at the certificate authority',
  ),
  eab_refused: words(
    '证书机构不接受外部账户绑定（EAB）',
    'The certificate authority does not accept the external account binding',
  ),
  name_refused: words('证书机构不为该域名签发证书', 'The certificate authority issues no certificate for this name'),
  caa: words(
    '域名的 CAA 记录不允许该证书机构',
    'The CAA record of the name does not permit this certificate authority',
  ),
  dns: words('证书机构无法解析该域名', 'The certificate authority cannot resolve the name'),
  connection: words(
    '证书机构无法连接该域名的 80 端口',
    'The certificate authority cannot connect to port 80 of the name',
  ),
  challenge: words(
    '证书机构没有得到正确的验证内容，域名可能未指向本平台',
    'The certificate authority did not get the right answer: the name may not point here',
  ),
  no_http01: words('证书机构不提供 HTTP 验证', 'The certificate authority offers no validation by HTTP'),
  refused: words('证书机构拒绝了申请', 'The certificate authority refused'),
  bad_certificate: words('证书机构签发的证书无法使用', 'The certificate that was issued cannot be used'),
  no_node: words('节点组没有在线节点，无法应答验证', 'No node of the group is online to answer the validation'),
  node_silent: words('节点没有确认验证内容：{nodes}', 'Nodes did not take over what they have to answer: {nodes}'),
  node_refused: words('节点不接受验证内容：{nodes}', 'Nodes refuse what they have to answer: {nodes}'),
  site_gone: words('没有站点再使用域名 {name}', 'No site has the name {name} any more'),
  authority_off: words('该证书机构已停用', 'The certificate authority is switched off'),
  withdrawn: words('已由上传的证书代替', 'An uploaded certificate took its place'),
  interrupted: words('申请被恢复的备份中断', 'A restored backup cut it off'),
} as const satisfies Record<string, Words>
export type CertFaultKey = keyof typeof CERT_FAULTS

/** What is odd before the authority is asked. It is asked all the same. */
export const CERT_WARNINGS = {
  dns_none: words('{name} 没有可用的 DNS 记录', '{name} has no DNS record of use'),
  dns_elsewhere: words(
    '{name} 解析到 {found}，不是本平台的地址',
    '{name} leads to {found}, which is no address of ours',
  ),
  caa_other: words('{name} 的 CAA 记录只允许 {found}', 'The CAA record of {name} permits {found} only'),
} as const satisfies Record<string, Words>
export type CertWarningKey = keyof typeof CERT_WARNINGS

export interface CertNote<Key extends string> {
  key: Key
  params: Record<string, string>
}

const TEXTS: Readonly<Record<CertFaultKey | CertWarningKey, Words>> = { ...CERT_FAULTS, ...CERT_WARNINGS }

/** A fault or a warning in a language. */
export const certText = ({ key, params }: CertNote<CertFaultKey | CertWarningKey>, lang: Lang): string =>
  TEXTS[key][lang].replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
