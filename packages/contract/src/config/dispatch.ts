/** Dispatching: mode, checks, notices (specification, sections 3, 5 and 9). */
import { z } from 'zod'
import { fail, mailAddress, port } from '../validators.ts'

export const DISPATCH_MODES = ['online', 'timing', 'random'] as const
export type DispatchMode = (typeof DISPATCH_MODES)[number]

/** Least, greatest and step of the numbers. Seconds, but for the percentage. */
export const DISPATCH_LIMITS = {
  ModeTimingFrequency: { min: 60, max: 3600, step: 60 },
  checkNodeFrequency: { min: 10, max: 300, step: 10 },
  failPercent: { min: 1, max: 100, step: 1 },
} as const

/** Ports parted by '|', each once. */
const ports = z
  .string({ error: 'required' })
  .trim()
  .min(1, { error: 'required', abort: true })
  .max(255)
  .superRefine((text, ctx) => {
    const parts = text.split('|')
    for (const [i, part] of parts.entries()) {
      if (!/^\d{1,5}$/.test(part) || !port.safeParse(part).success) return fail(ctx, 'port_list')
      if (parts.indexOf(part) < i) return fail(ctx, 'duplicate', { value: part })
    }
  })

const stepped = (name: keyof typeof DISPATCH_LIMITS) => {
  const { min, max, step } = DISPATCH_LIMITS[name]
  return z
    .int({
      // The bounds have texts of their own.
      error: ({ code, input }) => {
        if (code !== 'invalid_type') return undefined
        return input === undefined || input === null ? 'required' : 'invalid'
      },
    })
    .min(min, { abort: true })
    .max(max, { abort: true })
    .refine((n) => n % step === 0, { message: 'step', params: { step } })
}
/** Left out: on where there is an address. */
const onOff = z.int().min(0).max(1).optional()
const isOn = (status: number | undefined, address: string) => (status ?? (address === '' ? 0 : 1)) === 1

/** 1 followed by 4 to 20 digits. */
const PHONE = /^1\d{4,20}$/

/** A switched-on notice needs its address; a switched-off one keeps none. */
export const dispatchConfig = z
  .object({
    DnsDispatchMode: z.enum(DISPATCH_MODES).default('online'),
    /** Counts in the mode `timing` only. */
    ModeTimingFrequency: z.unknown().default(60),
    checkNodePortList: ports.default('80|443'),
    checkNodeFrequency: stepped('checkNodeFrequency').default(10),
    failPercent: stepped('failPercent').default(80),
    mailNotice: z.string().trim().max(254).default(''),
    mailNoticeStatus: onOff,
    smsNotice: z.string().trim().max(32).default(''),
    smsNoticeStatus: onOff,
  })
  .transform((given, ctx) => {
    const cycle = stepped('ModeTimingFrequency').safeParse(given.ModeTimingFrequency, { reportInput: true })
    const timing = given.DnsDispatchMode === 'timing'
    if (!cycle.success && timing)
      for (const issue of cycle.error.issues)
        ctx.issues.push({ ...issue, path: ['ModeTimingFrequency'], input: issue.input } as z.core.$ZodRawIssue)
    const mail = isOn(given.mailNoticeStatus, given.mailNotice)
    const sms = isOn(given.smsNoticeStatus, given.smsNotice)
    if (mail && given.mailNotice === '') fail(ctx, 'required', {}, ['mailNotice'])
    else if (mail && !mailAddress.safeParse(given.mailNotice).success) fail(ctx, 'email', {}, ['mailNotice'])
    if (sms && given.smsNotice === '') fail(ctx, 'required', {}, ['smsNotice'])
    else if (sms && !PHONE.test(given.smsNotice)) fail(ctx, 'phone', {}, ['smsNotice'])
    return {
      ...given,
      ModeTimingFrequency: cycle.success ? cycle.data : DISPATCH_LIMITS.ModeTimingFrequency.min,
      mailNotice: mail ? given.mailNotice : '',
      mailNoticeStatus: mail ? 1 : 0,
      smsNotice: sms ? given.smsNotice : '',
      smsNoticeStatus: sms ? 1 : 0,
    }
  })
export type DispatchConfig = z.output<typeof dispatchConfig>
