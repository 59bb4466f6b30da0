/** Config record `wechat`: customers log in by scanning a code with WeChat. The application is a "website application" of open.weixin.qq.com. */
import { z } from 'zod'

export const wechatConfig = z.object({
  appid: z
    .string()
    .trim()
    .regex(/^wx[0-9A-Za-z]{16}$/, { error: 'wechat_appid' }),
  appSecret: z.string().trim().min(1, { error: 'required' }).max(200),
})
export type WechatConfig = z.output<typeof wechatConfig>

/** Members that are stored sealed and read back masked. */
export const WECHAT_SECRETS = ['appSecret'] as const
