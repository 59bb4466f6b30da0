/**
 * The registry of config records: key -> id, paramKey, schema, secrets, default, screen (who may read and change it), remark.
 * `store.get(key)` gives the value; the settings screens and `sys/config/*` read and write the same rows by `paramKey` or `id`.
 */
import { registerConfig, verifyConfig } from '@tidegate/contract/config/account'
import { blackConfig } from '@tidegate/contract/config/black'
import { dispatchConfig } from '@tidegate/contract/config/dispatch'
import { loginConfig } from '@tidegate/contract/config/login'
import { MAIL_SECRETS, mailConfig } from '@tidegate/contract/config/mail'
import { OIDC_SECRETS, oidcConfig } from '@tidegate/contract/config/oidc'
import { addressesOf, secretsOf } from '@tidegate/contract/config/params'
import { IDENTITY_PARAMS, identityConfig, STORAGE_PARAMS, storageConfig } from '@tidegate/contract/config/services'
import { SMS_CONFIGS, SMS_SECRETS } from '@tidegate/contract/config/sms'
import { agreementConfig, dnsApiRoot, flagsConfig, systemConfig, webConfig } from '@tidegate/contract/config/web'
import { WECHAT_SECRETS, wechatConfig } from '@tidegate/contract/config/wechat'
import { type ConfigEntry, type EntryValue, entry } from './entry.ts'
import { PAYMENT_RECORDS } from './payment-records.ts'

export const SETTINGS = {
  web: entry({
    id: 1,
    paramKey: 'web_config',
    screen: 'website',
    schema: webConfig,
    remark: { zh: '网站名称、标志、SEO、联系方式', en: 'Website: name, logos, SEO, contact' },
    weight: 1,
  }),
  flags: entry({
    id: 2,
    paramKey: 'feature_flags',
    screen: 'website',
    schema: flagsConfig,
    secrets: ['otherSite.token'],
    sentTo: ['otherSite.siteUrl'],
    remark: { zh: '功能开关与关联站点', en: 'Features and the linked site' },
    weight: 2,
  }),
  system: entry({
    id: 3,
    paramKey: 'system_config',
    screen: 'website',
    schema: systemConfig,
    remark: { zh: '时区', en: 'Time zone' },
    weight: 3,
  }),
  agreement: entry({
    id: 4,
    paramKey: 'service_agreement',
    screen: 'website',
    schema: agreementConfig,
    remark: { zh: '服务协议', en: 'Service agreement' },
    weight: 4,
  }),
  dnsApiRoot: entry({
    id: 5,
    paramKey: 'DNS_USER_API_ROOT_URI',
    screen: 'website',
    schema: dnsApiRoot,
    remark: { zh: 'DNS 用户端 API 根地址', en: "Root of the DNS product's API for customers" },
    weight: 5,
  }),
  mail: entry({
    id: 20,
    paramKey: 'mail_config',
    screen: 'mail',
    schema: mailConfig,
    unset: null,
    secrets: MAIL_SECRETS,
    sentTo: ['host'],
    switchable: 'on',
    remark: { zh: '邮件发送', en: 'Outgoing mail' },
    weight: 1,
  }),
  smsTencent: entry({
    id: 26,
    paramKey: 'sms_tencent',
    screen: 'sms',
    schema: SMS_CONFIGS.tencent,
    unset: null,
    secrets: SMS_SECRETS.tencent,
    switchable: 'off',
    exclusive: 'sms',
    remark: { zh: '腾讯云短信', en: 'Tencent Cloud SMS' },
    weight: 1,
  }),
  smsAliyun: entry({
    id: 45,
    paramKey: 'sms_aliyun',
    screen: 'sms',
    schema: SMS_CONFIGS.aliyun,
    unset: null,
    secrets: SMS_SECRETS.aliyun,
    switchable: 'off',
    exclusive: 'sms',
    remark: { zh: '阿里云短信', en: 'Aliyun SMS' },
    weight: 2,
  }),
  smsBao: entry({
    id: 46,
    paramKey: 'sms_bao',
    screen: 'sms',
    schema: SMS_CONFIGS.smsbao,
    unset: null,
    secrets: SMS_SECRETS.smsbao,
    sentTo: ['api_addr'],
    switchable: 'off',
    exclusive: 'sms',
    remark: { zh: '短信宝', en: 'SMS Bao' },
    weight: 3,
  }),
  dispatch: entry({
    id: 50,
    paramKey: 'dispatch_config',
    screen: 'dispatch',
    schema: dispatchConfig,
    remark: { zh: '调度配置', en: 'Dispatching' },
    weight: 1,
  }),
  dnsBlack: entry({
    id: 55,
    paramKey: 'dns_black',
    screen: 'dnsBlack',
    schema: blackConfig,
    remark: { zh: 'DNS 黑名单', en: 'DNS blacklist' },
    weight: 1,
  }),
  storage: entry({
    id: 60,
    paramKey: 'storage_config',
    screen: 'storage',
    schema: storageConfig,
    secrets: secretsOf(STORAGE_PARAMS),
    sentTo: addressesOf(STORAGE_PARAMS),
    remark: { zh: '上传文件的存储', en: 'Storage of uploads' },
    weight: 1,
  }),
  identityApi: entry({
    id: 61,
    paramKey: 'identity_api',
    screen: 'api',
    schema: identityConfig,
    unset: null,
    secrets: secretsOf(IDENTITY_PARAMS),
    sentTo: addressesOf(IDENTITY_PARAMS),
    switchable: 'off',
    remark: { zh: '实名核验接口', en: 'Identity API' },
    weight: 1,
  }),
  wechat: entry({
    id: 62,
    paramKey: 'wechat_config',
    screen: 'wechat',
    schema: wechatConfig,
    unset: null,
    secrets: WECHAT_SECRETS,
    switchable: 'off',
    remark: { zh: '微信扫码登录', en: 'Login by WeChat' },
    weight: 1,
  }),
  login: entry({
    id: 69,
    paramKey: 'login_config',
    screen: 'login',
    schema: loginConfig,
    remark: { zh: '登录', en: 'Login' },
    weight: 1,
  }),
  oidc: entry({
    id: 72,
    paramKey: 'oidc_config',
    screen: 'login',
    schema: oidcConfig,
    secrets: OIDC_SECRETS,
    sentTo: ['issuer'],
    remark: { zh: '管理员 OpenID 登录', en: 'Login of admins by OpenID' },
    weight: 3,
  }),
  register: entry({
    id: 70,
    paramKey: 'register_config',
    screen: 'login',
    schema: registerConfig,
    remark: { zh: '用户注册', en: 'Registration of customers' },
    weight: 2,
  }),
  verify: entry({
    id: 71,
    paramKey: 'verify_config',
    screen: 'verify',
    schema: verifyConfig,
    remark: { zh: '实名与手机认证', en: 'Verification of real name and phone' },
    weight: 1,
  }),
  ...PAYMENT_RECORDS,
} as const satisfies Record<string, ConfigEntry>

export type SettingKey = keyof typeof SETTINGS
export type SettingValue<K extends SettingKey> = EntryValue<(typeof SETTINGS)[K]>

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[]

/** What a record is worth while nothing is stored. */
export const unsetValue = (row: ConfigEntry): unknown =>
  row.unset === null ? null : row.schema.parse(row.schema.safeParse({}).success ? {} : undefined)
