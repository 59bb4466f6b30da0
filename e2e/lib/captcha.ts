/** Captchas for whole-system tests: whoever may read the installation's database and master key can say what their answer is. */
import { createHmac } from 'node:crypto'
import { readMasterKey } from '../../apps/server/src/platform/master-key.ts'
import { createSecrets } from '../../apps/server/src/platform/secrets.ts'
import { sql } from './stores.ts'

/** Makes `answer` the right one for every captcha that is open now. */
export async function answerCaptchas(folders: { dataDir: string; runDir: string }, answer: string): Promise<void> {
  const key = createSecrets(await readMasterKey(folders.dataDir, undefined)).derive('captcha')
  const open = await sql<{ uuid: string }>(folders, 'SELECT uuid FROM captcha')
  for (const { uuid } of open) {
    const hash = createHmac('sha256', key).update(`${uuid}\n${answer}`).digest()
    await sql(folders, 'UPDATE captcha SET answer_hash = $2 WHERE uuid = $1', [uuid, hash])
  }
}
