/** Captchas: the answer is stored as an HMAC bound to the uuid, for two minutes, for one try. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { CAPTCHA_TTL } from '@tidegate/contract/limits'
import { eq, lt } from 'drizzle-orm'
import svgCaptcha from 'svg-captcha'
import type { ImageBody } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { captchas } from './schema.ts'

/** Makes a text and its picture. */
export type CaptchaGenerator = () => { text: string; image: ImageBody }

/** Letters and digits that cannot be mistaken for one another. */
export const svgGenerator: CaptchaGenerator = () => {
  const { text, data } = svgCaptcha.create({ size: 4, noise: 2, width: 120, height: 40, ignoreChars: '0o1iIlO5sS' })
  return { text, image: { type: 'image/svg+xml', body: Buffer.from(data) } }
}

export interface Captchas {
  /** Makes the captcha of a uuid; an earlier one of it is void. */
  issue(uuid: string): Promise<ImageBody>
  /** Whether `answer` is right; either way the captcha is used up. Letters' case does not count. */
  redeem(uuid: string, answer: string): Promise<boolean>
}

interface Deps {
  db: Db
  clock: Clock
  /** Key of the HMAC: four letters would be guessed from a plain hash. */
  key: Buffer
  generate: CaptchaGenerator
}

export const createCaptchas = ({ db, clock, key, generate }: Deps): Captchas => {
  const digest = (uuid: string, answer: string) =>
    createHmac('sha256', key).update(`${uuid}\n${answer.trim().toLowerCase()}`).digest()
  return {
    issue: async (uuid) => {
      const { text, image } = generate()
      const row = { answerHash: digest(uuid, text), expiresAt: new Date(clock.now() + CAPTCHA_TTL * 1000) }
      await db.delete(captchas).where(lt(captchas.expiresAt, new Date(clock.now())))
      await db
        .insert(captchas)
        .values({ uuid, ...row })
        .onConflictDoUpdate({ target: captchas.uuid, set: row })
      return image
    },
    redeem: async (uuid, answer) => {
      const [row] = await db.delete(captchas).where(eq(captchas.uuid, uuid)).returning()
      if (!row || row.expiresAt.getTime() <= clock.now()) return false
      return timingSafeEqual(row.answerHash, digest(uuid, answer))
    },
  }
}
