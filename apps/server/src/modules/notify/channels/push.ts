/** Telegram's bot API, and webhooks that we sign. */
import type { TelegramConfig } from '@tidegate/contract/config/notify'
import type { Clock } from '../../../platform/clock.ts'
import { DeliveryError } from '../fault.ts'
import { callPeer, jsonOf, textOf } from './peer.ts'
import { webhookSignature } from './signatures.ts'
import type { Send } from './types.ts'

/** Longest text that Telegram takes (bot API, sendMessage). */
const TELEGRAM_MAX = 4096

/** Plain text: no parse mode, so that nothing in it is mark-up. */
export const createTelegramSender =
  (config: Pick<TelegramConfig, 'apiRoot' | 'token'>, timeoutMs?: number): Send =>
  async (notice) => {
    const text = `${notice.rendered.subject}\n\n${notice.rendered.text}`.slice(0, TELEGRAM_MAX)
    const answer = await callPeer({
      method: 'POST',
      url: `${config.apiRoot.replace(/\/+$/, '')}/bot${config.token}/sendMessage`,
      allowPrivate: true,
      beforeSend: notice.handing,
      ...(timeoutMs && { timeoutMs }),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chat_id: notice.to, text, link_preview_options: { is_disabled: true } }),
    })
    const reply = jsonOf(answer)
    if (reply.ok === true)
      return `ok ${JSON.stringify((reply.result as { message_id?: unknown } | null)?.message_id ?? '')}`
    const words = `${answer.status}: ${textOf(reply.description)}`
    if (answer.status === 401 || answer.status === 404) throw new DeliveryError('auth', words, 'fail')
    if (answer.status === 429) throw new DeliveryError('temporary', words, 'retry')
    throw new DeliveryError(
      answer.status >= 500 ? 'temporary' : 'refused',
      words,
      answer.status >= 500 ? 'unknown' : 'fail',
    )
  }

interface WebhookOptions {
  clock: Clock
  secret: string
  /** True only for the operator's own receiver. */
  allowPrivate: boolean
  timeoutMs?: number | undefined
}

/**
 * POST of `{id, event, lang, subject, text, variables}`; `x-tidegate-signature` is `webhookSignature` over the body. A receiver must drop a
 * second call of the same id: a call without an answer is made again.
 */
export const createWebhookSender =
  ({ clock, secret, allowPrivate, timeoutMs }: WebhookOptions): Send =>
  async (notice) => {
    const body = JSON.stringify({
      id: notice.id,
      event: notice.event,
      lang: notice.lang,
      subject: notice.rendered.subject,
      text: notice.rendered.text,
      variables: notice.values,
    })
    const { status, text } = await callPeer({
      method: 'POST',
      url: notice.to,
      allowPrivate,
      repeatable: true,
      beforeSend: notice.handing,
      ...(timeoutMs && { timeoutMs }),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Tidegate-Notify/1',
        'x-tidegate-delivery': notice.id,
        'x-tidegate-event': notice.event,
        'x-tidegate-signature': webhookSignature(secret, Math.floor(clock.now() / 1000), body),
      },
      body,
    })
    const words = `HTTP ${status} ${text}`
    if (status >= 200 && status < 300) return words
    if (status === 401 || status === 403) throw new DeliveryError('auth', words, 'fail')
    if (status === 408 || status === 429 || status >= 500) throw new DeliveryError('temporary', words, 'retry')
    throw new DeliveryError('refused', words, 'fail')
  }
