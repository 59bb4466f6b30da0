/** Work orders: states, what the lists call them, and who may bring them from one state into another. Shared by both sides. */
import { z } from 'zod'
import { type WORK_ORDER_LABELS, type WORK_ORDER_MOVES, type WORK_ORDER_REASONS, WORK_ORDER_STATUS } from './enums.ts'
import { MAX_WORK_ORDER_TEXT } from './limits.ts'
import { MAX_WORK_ORDER_IMAGES } from './uploads.ts'

export type WorkOrderStatus = (typeof WORK_ORDER_STATUS)[keyof typeof WORK_ORDER_STATUS]
export type WorkOrderLabel = (typeof WORK_ORDER_LABELS)[number]
export type WorkOrderMove = (typeof WORK_ORDER_MOVES)[number]
export type CloseReason = (typeof WORK_ORDER_REASONS)[number]

/** What decides of an order where it may go. */
export interface WorkOrderState {
  status: number
  /** The staff has answered. */
  replied: boolean
  /** '' while it is not closed. */
  closeReason: CloseReason
  /** The customer's result; null: none was given. */
  solved: boolean | null
  /** The one appeal was made. */
  appealed: boolean
}

const { processing, completed, appeal, closed } = WORK_ORDER_STATUS

/** The word of the lists for a state. */
export const workOrderLabel = ({
  status,
  replied,
  closeReason,
}: Pick<WorkOrderState, 'status' | 'replied' | 'closeReason'>): WorkOrderLabel => {
  if (status === completed) return 'completed'
  if (status === appeal) return 'appeal'
  if (status === closed) return closeReason === 'rejected' ? 'rejected' : 'closed'
  return replied ? 'processing' : 'pending'
}

interface MoveRow {
  by: 'user' | 'admin'
  from: readonly WorkOrderStatus[]
  to: WorkOrderStatus | 'same'
  /** A further condition. */
  when?: (state: WorkOrderState) => boolean
}

/** All that can happen to an order; what is not here is refused. Unsolved or rejected orders can be appealed against, once. */
export const MOVES: Readonly<Record<WorkOrderMove, MoveRow>> = {
  ask: { by: 'user', from: [processing, appeal], to: 'same' },
  rate: { by: 'user', from: [processing, completed, appeal], to: closed },
  appeal: {
    by: 'user',
    from: [closed],
    to: appeal,
    when: ({ appealed, solved, closeReason }) => !appealed && (solved === false || closeReason === 'rejected'),
  },
  answer: { by: 'admin', from: [processing, appeal], to: 'same' },
  complete: { by: 'admin', from: [processing, appeal], to: completed },
  reject: { by: 'admin', from: [processing, appeal], to: closed },
  close: { by: 'admin', from: [processing, completed, appeal], to: closed },
  reopen: { by: 'admin', from: [completed, closed], to: processing },
}

export const mayMove = (state: WorkOrderState, move: WorkOrderMove, by: 'user' | 'admin'): boolean => {
  const row = MOVES[move]
  return row.by === by && (row.from as readonly number[]).includes(state.status) && (row.when?.(state) ?? true)
}

const REASON_OF: Partial<Record<WorkOrderMove, CloseReason>> = { rate: 'user', reject: 'rejected', close: 'staff' }

/** The state after a legal move; null for one that is not. `solved` is the customer's result, for `rate` alone. */
export const moved = (
  state: WorkOrderState,
  move: WorkOrderMove,
  by: 'user' | 'admin',
  solved: boolean | null = null,
): WorkOrderState | null => {
  if (!mayMove(state, move, by)) return null
  const { to } = MOVES[move]
  const status = to === 'same' ? state.status : to
  const same = to === 'same'
  return {
    status,
    replied: state.replied || move === 'answer',
    closeReason: same ? state.closeReason : (REASON_OF[move] ?? ''),
    solved: same ? state.solved : move === 'rate' ? solved : null,
    appealed: state.appealed || move === 'appeal',
  }
}

/** Whose turn it is after a move: only what a customer asks waits for the staff. */
export const waitsAfter = (move: WorkOrderMove): boolean => move === 'ask' || move === 'appeal'

const UPLOAD = /^\/uploads\/[a-z0-9]{32}\.(?:png|jpg|gif|webp)$/

/** What one message holds. */
const content = z
  .object({
    text: z.string({ error: 'required' }).trim().max(MAX_WORK_ORDER_TEXT, { error: 'too_long' }),
    img: z
      .array(z.string().regex(UPLOAD, { error: 'upload_path' }))
      .max(MAX_WORK_ORDER_IMAGES, { error: 'too_many_items' })
      .optional(),
  })
  .refine(({ text, img }) => text !== '' || (img !== undefined && img.length > 0), {
    path: ['text'],
    error: 'required',
  })
export type WorkOrderContent = z.infer<typeof content>

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `content` on the wire: JSON text of `{text, img?}`, the same way in and out. */
export const contentIn = z.string().transform((given, ctx): WorkOrderContent => {
  const found = content.safeParse(parsed(given))
  if (found.success) return found.data
  for (const { path, message, code, ...rest } of found.error.issues) {
    const known = ['required', 'too_long', 'too_many_items', 'upload_path'].includes(message)
    const max = 'maximum' in rest ? { max: Number(rest.maximum) } : {}
    ctx.addIssue({ code: 'custom', path, message: known ? message : 'invalid', params: max })
  }
  return z.NEVER
})

/** The wire's form of a message. Without pictures `img` is left out. */
export const contentText = (text: string, img: readonly string[]): string =>
  JSON.stringify(img.length === 0 ? { text } : { text, img })

/** Reads what the server sent; a message that cannot be read is empty. */
export const contentOf = (wire: string): { text: string; img: readonly string[] } => {
  const found = content.safeParse(parsed(wire))
  return found.success ? { text: found.data.text, img: found.data.img ?? [] } : { text: '', img: [] }
}
