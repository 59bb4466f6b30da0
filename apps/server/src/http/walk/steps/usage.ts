/** The reconciliation of the figures and its report. */
import type { Steps } from '../walk.ts'

export const usage: Steps = ({ server, got }) => {
  /** Runs the task as the schedule would. */
  const reconciled = async () => {
    const task = server()
      .built.parts.flatMap((part) => part.tasks ?? [])
      .find(({ kind }) => kind === 'usage.reconcile')
    const context = { signal: AbortSignal.timeout(60_000), say: () => {}, progress: () => {} }
    const result = await task?.run({ ...task.params.parse({}) }, context)
    got.report = Number(result?.report)
    return { id: got.report }
  }
  return [
    { id: 'usage.reconcileInfo', input: reconciled },
    { id: 'usage.gapList', input: () => ({ report: got.report }) },
  ]
}
