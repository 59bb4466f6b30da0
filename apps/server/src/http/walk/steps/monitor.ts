/** Outside monitors, and what they come to. */
import type { Steps } from '../walk.ts'

export const monitor: Steps = ({ secret, setMonitorToken }) => [
  {
    id: 'dispatch.key',
    keep: ({ body }) => {
      secret(String(body.token), 'dispatch.key')
      setMonitorToken(String(body.token))
    },
  },
  { id: 'monitor.targets', as: 'monitor' },
  { id: 'monitor.results', as: 'monitor', input: () => ({ monitor: 'walker', results: [] }) },
  { id: 'dispatch.stable' },
]
