/** Writes the notification sound: two soft tones, made from nothing but this arithmetic. `node bin/make-ring.mjs` gives the same file each time. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const RATE = 22_050
const SECONDS = 0.9
/** Start in seconds, frequency in hertz: a fifth upwards. */
const TONES = [
  { at: 0, hertz: 659.25 },
  { at: 0.16, hertz: 987.77 },
]
const PEAK = 0.4

/** One tone: base and octave, quick to rise, slow to fade. */
const tone = (t, hertz) =>
  t < 0
    ? 0
    : Math.min(1, t / 0.008) *
      Math.exp(-5 * t) *
      (Math.sin(2 * Math.PI * hertz * t) + 0.3 * Math.sin(4 * Math.PI * hertz * t))

const count = Math.round(RATE * SECONDS)
const samples = Buffer.alloc(count * 2)
for (let i = 0; i < count; i++) {
  const t = i / RATE
  const end = Math.min(1, (SECONDS - t) / 0.05)
  const level = TONES.reduce((sum, { at, hertz }) => sum + tone(t - at, hertz), 0) * PEAK * end
  samples.writeInt16LE(Math.round(Math.max(-1, Math.min(1, level)) * 32_767), i * 2)
}

/** RIFF, PCM, one channel, 16 bits. */
const head = Buffer.alloc(44)
head.write('RIFF', 0)
head.writeUInt32LE(36 + samples.length, 4)
head.write('WAVEfmt ', 8)
head.writeUInt32LE(16, 16)
head.writeUInt16LE(1, 20)
head.writeUInt16LE(1, 22)
head.writeUInt32LE(RATE, 24)
head.writeUInt32LE(RATE * 2, 28)
head.writeUInt16LE(2, 32)
head.writeUInt16LE(16, 34)
head.write('data', 36)
head.writeUInt32LE(samples.length, 40)
writeFileSync(join(import.meta.dirname, '..', 'apps/console/src/shared/order/ring.wav'), Buffer.concat([head, samples]))
