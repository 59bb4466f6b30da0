/** What SMS Bao and our own webhook are signed with, as pure functions. */
import { createHash, createHmac } from 'node:crypto'

export const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `t.body`, so that an old call cannot be repeated later. */
export const webhookSignature = (secret: string, timestamp: number, body: string): string =>
  `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
