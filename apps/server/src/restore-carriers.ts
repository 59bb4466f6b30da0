/** What of each module must not go back with a restored backup. */
import { type Carrier, ending } from './modules/backup/index.ts'
import { keepNodeTrust } from './modules/node/index.ts'
import { keepRevisionsAhead } from './modules/publish/index.ts'
import { keepPurges } from './modules/purge/index.ts'

/** Jobs and processes that were at work at the moment of the backup are no more: what waited for them is closed, not done twice. */
const ENDINGS = [
  `UPDATE task_run SET state = 'lost', error = 'a backup was restored', finished_at = now() WHERE state IN ('waiting', 'running')`,
  `UPDATE export_job SET state = 'failed', error = 'unavailable' WHERE state IN ('waiting', 'running')`,
  `UPDATE notice SET state = 'skipped', fault = 'expired', sealed = NULL, finished_at = now() WHERE state IN ('queued', 'sending')`,
  `UPDATE backup_run SET state = 'failed', error = 'backup_interrupted', finished_at = now() WHERE state IN ('waiting', 'running')`,
  `UPDATE reconcile_run SET state = 'lost', finished_at = now() WHERE state = 'running'`,
  `UPDATE cert_order SET step = 'failed', fault = '{"key": "interrupted", "params": {}}', key_sealed = '', ended_at = now() WHERE ended_at IS NULL`,
  `UPDATE cert SET status = 'failed' WHERE status IN ('unapplied', 'applying')`,
  'DELETE FROM node_question',
  `DELETE FROM installation WHERE key = 'restoring'`,
]

export const RESTORE_CARRIERS: readonly Carrier[] = [
  keepPurges,
  keepRevisionsAhead,
  keepNodeTrust,
  ...ENDINGS.map((statement) => ending(statement)),
]
