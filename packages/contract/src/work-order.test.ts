import { describe, expect, it } from 'vitest'
import { WORK_ORDER_LABELS, WORK_ORDER_MOVES, WORK_ORDER_REASONS, WORK_ORDER_STATUS } from './enums.ts'
import { contentIn, contentOf, contentText, mayMove, moved, type WorkOrderState, workOrderLabel } from './work-order.ts'

const NEW: WorkOrderState = { status: 0, replied: false, closeReason: '', solved: null, appealed: false }
const SIDES = ['user', 'admin'] as const
const RESULTS = [true, false, null] as const

/** Every state that any row of legal moves leads to. */
const reachable = (): WorkOrderState[] => {
  const seen = new Map([[JSON.stringify(NEW), NEW]])
  for (const state of seen.values())
    for (const move of WORK_ORDER_MOVES)
      for (const by of SIDES)
        for (const solved of RESULTS) {
          const next = moved(state, move, by, solved)
          if (next !== null) seen.set(JSON.stringify(next), next)
        }
  return [...seen.values()]
}

describe('the states of work orders', () => {
  const states = reachable()

  it('reach all four numbers, all labels and all reasons, and nothing else [S4.1]', () => {
    expect(WORK_ORDER_STATUS).toEqual({ processing: 0, completed: 1, appeal: 2, closed: 3 })
    expect([...new Set(states.map((s) => s.status))].sort()).toEqual([0, 1, 2, 3])
    expect(new Set(states.map(workOrderLabel))).toEqual(new Set(WORK_ORDER_LABELS))
    expect(new Set(states.map((s) => s.closeReason))).toEqual(new Set(WORK_ORDER_REASONS))
    for (const s of states) {
      expect([s, (s.status === 3) === (s.closeReason !== '')]).toEqual([s, true])
      expect([s, s.solved === null || s.closeReason === 'user']).toEqual([s, true])
      expect([s, s.status !== 2 || s.appealed]).toEqual([s, true])
    }
  })

  it.each([
    [{ status: 0, replied: false }, 'pending'],
    [{ status: 0, replied: true }, 'processing'],
    [{ status: 1, replied: false }, 'completed'],
    [{ status: 2, replied: true }, 'appeal'],
    [{ status: 3, closeReason: 'user' }, 'closed'],
    [{ status: 3, closeReason: 'staff' }, 'closed'],
    [{ status: 3, closeReason: 'rejected' }, 'rejected'],
  ] as const)('%o is called %s', (state, label) => {
    expect(workOrderLabel({ ...NEW, ...state })).toBe(label)
  })

  it('change by the legal moves alone, of the right side', () => {
    const legal: Record<string, Record<number, number>> = {
      'user ask': { 0: 0, 2: 2 },
      'user rate': { 0: 3, 1: 3, 2: 3 },
      'admin answer': { 0: 0, 2: 2 },
      'admin complete': { 0: 1, 2: 1 },
      'admin reject': { 0: 3, 2: 3 },
      'admin close': { 0: 3, 1: 3, 2: 3 },
      'admin reopen': { 1: 0, 3: 0 },
    }
    for (const state of states)
      for (const move of WORK_ORDER_MOVES)
        for (const by of SIDES) {
          if (move === 'appeal') continue
          const to = moved(state, move, by)?.status
          expect([state, move, by, to]).toEqual([state, move, by, legal[`${by} ${move}`]?.[state.status]])
        }
  })

  it('take one appeal, against what is unsolved or rejected, whatever came between', () => {
    for (const state of states) {
      const open = state.status === 3 && !state.appealed && (state.solved === false || state.closeReason === 'rejected')
      expect([state, mayMove(state, 'appeal', 'user'), mayMove(state, 'appeal', 'admin')]).toEqual([state, open, false])
    }
    // Once appealed, no way leads back to where it could be done again.
    for (const state of states.filter((s) => s.appealed))
      for (const move of WORK_ORDER_MOVES)
        for (const by of SIDES) expect(moved(state, move, by, false)?.appealed ?? true).toBe(true)
  })
})

describe('the content of a message', () => {
  it('is JSON text with text and, if there are any, pictures', () => {
    const img = [`/uploads/${'a'.repeat(32)}.png`]
    expect(contentText('a', [])).toBe('{"text":"a"}')
    expect(contentOf(contentText('a', img))).toEqual({ text: 'a', img })
    expect(contentIn.parse(contentText(' a ', img))).toEqual({ text: 'a', img })
    expect(contentIn.safeParse(contentText('', [])).success).toBe(false)
    expect(contentIn.safeParse(contentText('', img)).success).toBe(true)
  })
})
