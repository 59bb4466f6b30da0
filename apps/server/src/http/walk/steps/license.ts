/** The system license. */
import type { Steps } from '../walk.ts'

export const license: Steps = ({ license: file }) => [
  { id: 'license.info' },
  { id: 'license.save', input: () => ({ file: file() }), trace: 'after' },
  { id: 'license.delete', trace: 'before' },
]
