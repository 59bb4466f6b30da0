/** Scheduled tasks: made, changed, started by hand, paused, deleted; the log of the run. */
import type { Steps } from '../walk.ts'

export const schedule: Steps = ({ got, keepId }) => {
  const task = () => ({
    ...{ kind: 'schedule.retention', params: { days: 30 }, cron: '5 4 * * *', description: 'Walk' },
    ...{ timeout: 60, overlap: 'queue', lost: 'retry' },
  })
  return [
    { id: 'schedule.kinds' },
    { id: 'schedule.save', input: task, trace: 'after', keep: keepId('task') },
    { id: 'schedule.save', input: () => ({ ...task(), id: got.task, cron: '0 0 1 * *' }), trace: 'both' },
    { id: 'schedule.list' },
    { id: 'schedule.info', input: () => ({ id: got.task }) },
    { id: 'schedule.run', input: () => ({ id: got.task }), trace: 'after', keep: keepId('run') },
    { id: 'schedule.logList' },
    { id: 'schedule.logInfo', input: () => ({ id: got.run }) },
    { id: 'schedule.pause', input: () => ({ ids: [got.task], status: 0 }), trace: 'both' },
    { id: 'schedule.delete', input: () => ({ ids: [got.task] }), trace: 'before' },
  ]
}
