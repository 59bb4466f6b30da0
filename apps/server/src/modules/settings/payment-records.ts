/** A config record for each payment channel: its parameters, sealed where they are secret, and whether it is offered. */
import { addressesOf, secretsOf } from '@tidegate/contract/config/params'
import { PAYMENT_PARAMS, PAYMENT_SCHEMAS, type PaymentMethod, paymentRecordId } from '@tidegate/contract/config/payment'
import { entry } from './entry.ts'

const record = <M extends PaymentMethod>(method: M, paramKey: string, zh: string, en: string) =>
  entry({
    id: paymentRecordId(method),
    paramKey,
    screen: 'payment',
    schema: PAYMENT_SCHEMAS[method],
    unset: null,
    secrets: secretsOf(PAYMENT_PARAMS[method]),
    sentTo: addressesOf(PAYMENT_PARAMS[method]),
    switchable: 'off',
    remark: { zh, en },
    weight: paymentRecordId(method) - 100,
  })

/** Needs no parameter, so it is never unset. */
const ledger = <M extends 'balance' | 'backOffice'>(method: M, paramKey: string, zh: string, en: string) =>
  entry({
    id: paymentRecordId(method),
    paramKey,
    screen: 'payment',
    schema: PAYMENT_SCHEMAS[method],
    switchable: 'on',
    remark: { zh, en },
    weight: paymentRecordId(method) - 100,
  })

export const PAYMENT_RECORDS = {
  payBalance: ledger('balance', 'pay_balance', '余额支付', 'Balance'),
  payBackOffice: ledger('backOffice', 'pay_back_office', '后台支付', 'Back office'),
  payAlipay: record('alipay', 'pay_alipay', '支付宝', 'Alipay'),
  payWechat: record('wechat', 'pay_wechat', '微信支付', 'WeChat Pay'),
  payFuiou: record('fuiou', 'pay_fuiou', '富友支付', 'Fuiou'),
  payUnionpay: record('unionpay', 'pay_unionpay', '银联支付', 'UnionPay'),
  payOnline: record('online', 'pay_online', '在线支付（Stripe）', 'Online (Stripe)'),
  payCrypto: record('crypto', 'pay_crypto', '数字货币', 'Crypto'),
  payEpay: record('epay', 'pay_epay', '彩虹易支付', 'Rainbow EPay'),
  payAllinpay: record('allinpay', 'pay_allinpay', '通联支付', 'Allinpay'),
} as const
