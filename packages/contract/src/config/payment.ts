/** Payment channels and their parameters. Numbers are those of the specification's payment methods (section 3, "Enumerations"). */
import { PAYMENT_METHODS } from '../enums.ts'
import { type Param, paramSchema } from './params.ts'

/** `credential`: issued by the provider, never shown again once stored. */
const credential = (name: string, more: Partial<Param> = {}): Param => ({ name, kind: 'lines', secret: true, ...more })

const ALIPAY = [
  { name: 'appId', kind: 'text' },
  { name: 'keyMode', kind: 'choice', choices: ['key', 'certificate'], preset: 'key' },
  credential('privateKey'),
  { name: 'alipayPublicKey', kind: 'lines', when: { name: 'keyMode', is: ['key'] } },
  { name: 'appCert', kind: 'lines', when: { name: 'keyMode', is: ['certificate'] } },
  { name: 'alipayCert', kind: 'lines', when: { name: 'keyMode', is: ['certificate'] } },
  { name: 'alipayRootCert', kind: 'lines', when: { name: 'keyMode', is: ['certificate'] } },
  { name: 'sellerId', kind: 'text', optional: true },
  { name: 'gateway', kind: 'address', preset: 'https://openapi.alipay.com/gateway.do' },
] as const satisfies readonly Param[]

const WECHAT = [
  { name: 'mchid', kind: 'text' },
  { name: 'appid', kind: 'text' },
  { name: 'serial', kind: 'text' },
  credential('privateKey'),
  { name: 'apiV3Key', kind: 'text', secret: true },
  { name: 'publicKeyId', kind: 'text' },
  { name: 'publicKey', kind: 'lines' },
  { name: 'baseUrl', kind: 'address', preset: 'https://api.mch.weixin.qq.com' },
] as const satisfies readonly Param[]

const direct = { name: 'mode', is: ['direct'] } as const
const institution = { name: 'mode', is: ['institution'] } as const
const FUIOU = [
  { name: 'mode', kind: 'choice', choices: ['direct', 'institution'], preset: 'direct' },
  { name: 'merchantCode', kind: 'text' },
  { name: 'terminalId', kind: 'text' },
  { name: 'orderPrefix', kind: 'text', when: direct },
  { name: 'merchantKey', kind: 'text', secret: true, when: direct },
  { name: 'institutionCode', kind: 'text', when: institution },
  credential('privateKey', { when: institution }),
  { name: 'publicKey', kind: 'lines', when: institution },
  { name: 'host', kind: 'address', preset: 'https://aipay.fuioupay.com' },
] as const satisfies readonly Param[]

const UNIONPAY = [
  { name: 'merId', kind: 'text' },
  { name: 'certId', kind: 'text' },
  credential('privateKey'),
  { name: 'middleCert', kind: 'lines' },
  { name: 'rootCert', kind: 'lines' },
  { name: 'gateway', kind: 'address', preset: 'https://gateway.95516.com/gateway/api' },
] as const satisfies readonly Param[]

const STRIPE = [
  { name: 'secretKey', kind: 'text', secret: true },
  { name: 'webhookSecret', kind: 'text', secret: true },
  { name: 'currency', kind: 'choice', choices: ['cny'], preset: 'cny' },
  { name: 'apiBase', kind: 'address', preset: 'https://api.stripe.com' },
] as const satisfies readonly Param[]

const btcpay = { name: 'provider', is: ['btcpay'] } as const
const epusdt = { name: 'provider', is: ['epusdt'] } as const
const CRYPTO = [
  { name: 'provider', kind: 'choice', choices: ['btcpay', 'epusdt'], preset: 'btcpay' },
  { name: 'baseUrl', kind: 'address' },
  { name: 'storeId', kind: 'text', when: btcpay },
  { name: 'apiKey', kind: 'text', secret: true, when: btcpay },
  { name: 'webhookSecret', kind: 'text', secret: true, when: btcpay },
  { name: 'token', kind: 'text', secret: true, when: epusdt },
] as const satisfies readonly Param[]

const md5 = { name: 'version', is: ['v1'] } as const
const rsa = { name: 'version', is: ['v2'] } as const
const EPAY = [
  { name: 'version', kind: 'choice', choices: ['v1', 'v2'], preset: 'v1' },
  { name: 'baseUrl', kind: 'address' },
  { name: 'pid', kind: 'text' },
  { name: 'key', kind: 'text', secret: true, when: md5 },
  credential('privateKey', { when: rsa }),
  { name: 'platformPublicKey', kind: 'lines', when: rsa },
] as const satisfies readonly Param[]

const pair = { name: 'signType', is: ['SM2', 'RSA'] } as const
const ALLINPAY = [
  { name: 'cusid', kind: 'text' },
  { name: 'appid', kind: 'text' },
  { name: 'signType', kind: 'choice', choices: ['SM2', 'RSA', 'MD5'], preset: 'SM2' },
  { name: 'key', kind: 'text', secret: true, when: { name: 'signType', is: ['MD5'] } },
  credential('privateKey', { when: pair }),
  { name: 'platformPublicKey', kind: 'lines', when: pair },
  { name: 'baseUrl', kind: 'address', preset: 'https://vsp.allinpay.com/apiweb' },
] as const satisfies readonly Param[]

/** Pure operations of the ledger: nothing to set but whether they are offered. */
const NONE = [] as const satisfies readonly Param[]

/** By method, in the order of their numbers. */
export const PAYMENT_PARAMS = {
  balance: NONE,
  backOffice: NONE,
  alipay: ALIPAY,
  wechat: WECHAT,
  fuiou: FUIOU,
  unionpay: UNIONPAY,
  online: STRIPE,
  crypto: CRYPTO,
  epay: EPAY,
  allinpay: ALLINPAY,
} as const satisfies Record<keyof typeof PAYMENT_METHODS, readonly Param[]>
export type PaymentMethod = keyof typeof PAYMENT_METHODS

/** Ids of the channels' records: 100 and the method's number. */
export const paymentRecordId = (method: PaymentMethod): number => 100 + PAYMENT_METHODS[method]

export const PAYMENT_SCHEMAS = {
  balance: paramSchema(NONE),
  backOffice: paramSchema(NONE),
  alipay: paramSchema(ALIPAY),
  wechat: paramSchema(WECHAT),
  fuiou: paramSchema(FUIOU),
  unionpay: paramSchema(UNIONPAY),
  online: paramSchema(STRIPE),
  crypto: paramSchema(CRYPTO),
  epay: paramSchema(EPAY),
  allinpay: paramSchema(ALLINPAY),
} as const
