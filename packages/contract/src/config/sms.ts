/** Settings of short messages: three providers, their fields with the messages of the specification's section 5, five templates each. */
import { z } from 'zod'
import { TEMPLATE_KEYS, TEMPLATE_TITLES, type TemplateKey } from './notify.ts'

export const SMS_TYPES = ['tencent', 'aliyun', 'smsbao'] as const
export type SmsType = (typeof SMS_TYPES)[number]

/** Config records of the providers, in the order in which the enabled one is looked for. */
export const SMS_PROVIDERS: readonly { type: SmsType; recordId: number; name: { zh: string; en: string } }[] = [
  { type: 'tencent', recordId: 26, name: { zh: '腾讯云短信', en: 'Tencent Cloud SMS' } },
  { type: 'aliyun', recordId: 45, name: { zh: '阿里云短信', en: 'Aliyun SMS' } },
  { type: 'smsbao', recordId: 46, name: { zh: '短信宝', en: 'SMS Bao' } },
]

/** One of five templates. `id` is the provider's; `content` is the text itself, sent as it stands by SMS Bao. */
const smsTemplate = (key: TemplateKey) =>
  z.object({
    name: z.literal(key).default(key),
    title: z.string().max(100).default(TEMPLATE_TITLES[key].zh),
    id: z.string().trim().max(64).default(''),
    status: z.int().min(0).max(1).default(1),
    content: z.string().max(500).default(''),
  })
export type SmsTemplate = z.output<ReturnType<typeof smsTemplate>>

const templateIds = z
  .object(
    Object.fromEntries(TEMPLATE_KEYS.map((key) => [key, smsTemplate(key).prefault({})])) as {
      [K in TemplateKey]: z.ZodPrefault<ReturnType<typeof smsTemplate>>
    },
  )
  .prefault({})

const needed = (error: string, max = 200) => z.string({ error }).trim().min(1, { error, abort: true }).max(max)

const cloudFields = {
  sdkappId: needed('sms_sdkappid_empty'),
  secretid: needed('sms_secretid_empty'),
  secretkey: needed('sms_secretkey_empty'),
  signname: needed('sms_signname_empty', 100),
  templateIds,
}

export const tencentSmsConfig = z.object({ type: z.literal('tencent').default('tencent'), ...cloudFields })
export const aliyunSmsConfig = z.object({ type: z.literal('aliyun').default('aliyun'), ...cloudFields })
export const smsBaoConfig = z.object({
  type: z.literal('smsbao').default('smsbao'),
  api_addr: needed('sms_api_addr_empty', 500).regex(/^https?:\/\/[^\s?#]+$/, { error: 'web_address' }),
  username: needed('sms_username_empty'),
  api_key: needed('sms_api_key_empty'),
  /** Stands in 【】 before each text; empty where the contents carry their own. */
  signname: z.string().trim().max(100).default(''),
  templateIds,
})

/** Any provider's; a missing or unknown `type` earns 'select an SMS provider'. */
export const smsConfig = z.discriminatedUnion(
  'type',
  [
    tencentSmsConfig.extend({ type: z.literal('tencent') }),
    aliyunSmsConfig.extend({ type: z.literal('aliyun') }),
    smsBaoConfig.extend({ type: z.literal('smsbao') }),
  ],
  { error: 'sms_provider_empty' },
)
export type SmsConfig = z.output<typeof smsConfig>
export type CloudSmsConfig = Extract<SmsConfig, { type: 'tencent' | 'aliyun' }>
export type SmsBaoConfig = Extract<SmsConfig, { type: 'smsbao' }>

export const SMS_CONFIGS = { tencent: tencentSmsConfig, aliyun: aliyunSmsConfig, smsbao: smsBaoConfig } as const

/** Members that are stored sealed and read back masked, by provider. */
export const SMS_SECRETS: Readonly<Record<SmsType, readonly string[]>> = {
  tencent: ['secretkey'],
  aliyun: ['secretkey'],
  smsbao: ['api_key'],
}
