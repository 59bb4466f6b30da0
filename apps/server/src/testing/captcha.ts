/** A captcha whose answer is known. */
import type { CaptchaGenerator } from '../modules/identity/captcha.ts'

export const CAPTCHA_TEXT = 'seen'
export const knownCaptcha: CaptchaGenerator = () => ({
  text: CAPTCHA_TEXT,
  image: { type: 'image/svg+xml', body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
})
