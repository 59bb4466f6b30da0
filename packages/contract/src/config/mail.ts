/** Settings of outgoing mail: form, validators with their messages (specification, section 5), the six presets. */
import { z } from 'zod'
import { mailAddress, port } from '../validators.ts'
import { TEMPLATE_KEYS } from './notify.ts'

/** How the connection to the mail server is secured: TLS from the first byte, or STARTTLS, without which nothing is sent. */
export const MAIL_TLS = ['implicit', 'starttls'] as const
export type MailTls = (typeof MAIL_TLS)[number]

export interface MailPreset {
  id: string
  name: { zh: string; en: string }
  host: string
  port: number
  tls: MailTls
}

/** Enterprise and personal mailboxes of two Chinese providers, Microsoft, Google. */
export const MAIL_PRESETS: readonly MailPreset[] = [
  {
    id: 'tencent-enterprise',
    name: { zh: '腾讯企业邮箱', en: 'Tencent Exmail (enterprise)' },
    host: 'smtp.exmail.qq.com',
    port: 465,
    tls: 'implicit',
  },
  { id: 'qq', name: { zh: 'QQ 邮箱', en: 'QQ Mail (personal)' }, host: 'smtp.qq.com', port: 465, tls: 'implicit' },
  {
    id: 'aliyun-enterprise',
    name: { zh: '阿里企业邮箱', en: 'Aliyun Mail (enterprise)' },
    host: 'smtp.qiye.aliyun.com',
    port: 465,
    tls: 'implicit',
  },
  {
    id: 'aliyun',
    name: { zh: '阿里云邮箱', en: 'Aliyun Mail (personal)' },
    host: 'smtp.aliyun.com',
    port: 465,
    tls: 'implicit',
  },
  {
    id: 'office365',
    name: { zh: '微软 Office365', en: 'Microsoft Office365' },
    host: 'smtp.office365.com',
    port: 587,
    tls: 'starttls',
  },
  { id: 'gmail', name: { zh: '谷歌 Gmail', en: 'Google Gmail' }, host: 'smtp.gmail.com', port: 465, tls: 'implicit' },
]

/** An operator's own text of one of the five templates for mail; empty content = the built-in text. */
const mailTemplate = z.object({
  name: z.enum(TEMPLATE_KEYS),
  title: z.string().max(200).default(''),
  id: z.string().max(64).default(''),
  status: z.int().min(0).max(1).default(1),
  content: z.string().max(20_000).default(''),
})

/** The form of the mail screen and of the config record's value. `tls` absent: 465 is TLS from the first byte, any other port STARTTLS. */
export const mailConfig = z.object({
  protocol: z.literal('smtp').default('smtp'),
  host: z
    .string({ error: 'smtp_host_empty' })
    .trim()
    .min(1, { error: 'smtp_host_empty', abort: true })
    .max(255)
    .regex(/^[A-Za-z0-9.:-]+$/, { error: 'host' }),
  username: z.string({ error: 'mail_sender_empty' }).trim().min(1, { error: 'mail_sender_empty' }).pipe(mailAddress),
  password: z.string({ error: 'mail_password_empty' }).min(1, { error: 'mail_password_empty' }).max(500),
  port: z
    .union([z.number(), z.string()], { error: 'mail_port_empty' })
    .refine((value) => value !== '', { error: 'mail_port_empty', abort: true })
    .transform((value): unknown => value)
    .pipe(port),
  tls: z.enum(MAIL_TLS).optional(),
  /** Shown beside the sender's address. */
  fromName: z
    .string()
    .max(100)
    .regex(/^[^\p{Cc}<>"]*$/u, { error: 'invalid' })
    .default(''),
  templates: z.array(mailTemplate).max(TEMPLATE_KEYS.length).default([]),
})
export type MailConfig = z.output<typeof mailConfig>

/** Members that are stored sealed and read back masked. */
export const MAIL_SECRETS = ['password'] as const

/** How a server of this config is spoken to. */
export const mailTls = (config: Pick<MailConfig, 'port' | 'tls'>): MailTls =>
  config.tls ?? (config.port === 465 ? 'implicit' : 'starttls')
