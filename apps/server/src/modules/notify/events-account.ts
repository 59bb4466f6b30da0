/** What an account’s owner is told of the account itself. */
import type { NotifyEvent } from '@tidegate/contract/config/notify'
import { ACCOUNT, agent, before, type EventDefinition, ip, NO_SMS, name, nickname, time, v } from './event-parts.ts'

export const ACCOUNT_EVENTS = {
  code: {
    title: { zh: '验证码', en: 'Verification code' },
    variables: [
      { ...v('code', '验证码', 'Code', '123456'), secret: true },
      v('minutes', '有效分钟数', 'Minutes it is valid', '5'),
    ],
    channels: ['mail', 'sms'],
    texts: {
      zh: {
        subject: '{site} 验证码',
        body: '您的验证码是 {code}，{minutes} 分钟内有效。\n\n请勿将验证码告诉他人。如非本人操作，请忽略本邮件。',
      },
      en: {
        subject: '{site} verification code',
        body: 'Your verification code is {code}. It is valid for {minutes} minutes.\n\nDo not give it to anyone. If you did not ask for it, ignore this message.',
      },
    },
  },
  login_new: {
    title: { zh: '新登录', en: 'New login' },
    variables: [name, time, ip, agent],
    channels: NO_SMS,
    texts: {
      zh: {
        subject: '{site} 账号在新的地址登录',
        body: '{name}，您好：\n\n您的账号于 {time} 从 {ip} 登录（{agent}）。如非本人操作，请立即修改密码。',
      },
      en: {
        subject: 'New login to your {site} account',
        body: 'Hello {name},\n\nyour account was logged in to at {time} from {ip} ({agent}). If it was not you, change your password at once.',
      },
    },
  },
  password_changed: {
    title: { zh: '修改密码', en: 'Password changed' },
    variables: [name, time, ip, agent],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号的密码已修改',
        body: '{name}，您好：\n\n您账号的密码已于 {time} 修改，操作来自 {ip}（{agent}），所有登录均已结束。如非本人操作，请立即找回密码或联系我们。',
      },
      en: {
        subject: 'The password of your {site} account was changed',
        body: 'Hello {name},\n\nthe password of your account was changed at {time} from {ip} ({agent}), and all logins have ended. If it was not you, reset the password at once or contact us.',
      },
    },
  },
  factor_added: {
    title: { zh: '启用两步验证', en: 'Second factor added' },
    variables: [name, time, ip, agent],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号新增了两步验证方式',
        body: '{name}，您好：\n\n您的账号于 {time} 新增了一种两步验证方式，操作来自 {ip}（{agent}）。如非本人操作，请立即移除并修改密码。',
      },
      en: {
        subject: 'A second factor was added to your {site} account',
        body: 'Hello {name},\n\na second factor was added to your account at {time} from {ip} ({agent}). If it was not you, remove it and change your password at once.',
      },
    },
  },
  factor_removed: {
    title: { zh: '移除两步验证', en: 'Second factor removed' },
    variables: [name, time, ip, agent],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号移除了两步验证方式',
        body: '{name}，您好：\n\n您的账号于 {time} 移除了一种两步验证方式，操作来自 {ip}（{agent}）。如非本人操作，请立即修改密码。',
      },
      en: {
        subject: 'A second factor was removed from your {site} account',
        body: 'Hello {name},\n\na second factor was removed from your account at {time} from {ip} ({agent}). If it was not you, change your password at once.',
      },
    },
  },
  wechat_linked: {
    title: { zh: '绑定微信', en: 'WeChat account linked' },
    variables: [name, time, ip, nickname],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号已绑定微信',
        body: '{name}，您好：\n\n您的账号于 {time} 绑定了微信（{nickname}），操作来自 {ip}。该微信现在可以登录您的账号。如非本人操作，请立即解除绑定并修改密码。',
      },
      en: {
        subject: 'A WeChat account was linked to your {site} account',
        body: 'Hello {name},\n\nthe WeChat account "{nickname}" was linked to your account at {time} from {ip} and can log in to it now. If it was not you, unlink it and change your password at once.',
      },
    },
  },
  wechat_replaced: {
    title: { zh: '更换微信', en: 'WeChat account replaced' },
    variables: [name, time, ip, nickname, before],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号已更换绑定的微信',
        body: '{name}，您好：\n\n您的账号绑定的微信已于 {time} 由（{before}）更换为（{nickname}），操作来自 {ip}。现在可以登录您账号的是新的微信，原微信不再可以。如非本人操作，请立即解除绑定并修改密码。',
      },
      en: {
        subject: 'The WeChat account of your {site} account was replaced',
        body: 'Hello {name},\n\nthe WeChat account "{before}", which could log in to your account, was replaced by "{nickname}" at {time} from {ip}. If it was not you, unlink it and change your password at once.',
      },
    },
  },
  wechat_unlinked: {
    title: { zh: '解除微信绑定', en: 'WeChat account unlinked' },
    variables: [name, time, nickname],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号已解除微信绑定',
        body: '{name}，您好：\n\n您的账号于 {time} 解除了与微信（{nickname}）的绑定，该微信不能再登录您的账号。如非本人要求，请联系我们。',
      },
      en: {
        subject: 'A WeChat account was unlinked from your {site} account',
        body: 'Hello {name},\n\nthe WeChat account "{nickname}" was unlinked from your account at {time} and can no longer log in to it. If you did not want this, please contact us.',
      },
    },
  },
  account_disabled: {
    title: { zh: '账号停用', en: 'Account disabled' },
    variables: [name, time],
    channels: ['mail'],
    texts: {
      zh: { subject: '{site} 账号已停用', body: '{name}，您好：\n\n您的账号已于 {time} 停用。如有疑问，请联系我们。' },
      en: {
        subject: 'Your {site} account was disabled',
        body: 'Hello {name},\n\nyour account was disabled at {time}. Please contact us if you have questions.',
      },
    },
  },
} satisfies Partial<Record<NotifyEvent, EventDefinition>>
