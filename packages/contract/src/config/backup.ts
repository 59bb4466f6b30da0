/** Where backups go and the passphrase that scheduled ones are sealed with. */
import { z } from 'zod'
import { MIN_PASSPHRASE } from '../limits.ts'
import { fail } from '../validators.ts'
import { type Param, paramSchema } from './params.ts'
import { SECRET_MASK } from './record.ts'

const s3 = { name: 'target', is: ['s3'] } as const
export const BACKUP_PARAMS = [
  { name: 'target', kind: 'choice', choices: ['disk', 's3'], preset: 'disk' },
  { name: 'endpoint', kind: 'address', when: s3 },
  { name: 'region', kind: 'text', preset: 'us-east-1', when: s3 },
  { name: 'bucket', kind: 'text', when: s3 },
  { name: 'prefix', kind: 'text', preset: 'backups/', optional: true, when: s3 },
  { name: 'accessKeyId', kind: 'text', when: s3 },
  { name: 'secretAccessKey', kind: 'text', secret: true, when: s3 },
] as const satisfies readonly Param[]
export const backupTarget = paramSchema(BACKUP_PARAMS)
export type BackupTarget = z.output<typeof backupTarget>

/** A new passphrase. There is no way to open a backup without it. */
export const passphrase = z.string({ error: 'required' }).min(1, { error: 'required' }).min(MIN_PASSPHRASE).max(1024)
/** The same, or the mask of the one that is set. */
export const keptPassphrase = z
  .string({ error: 'required' })
  .min(1, { error: 'required' })
  .max(1024)
  .superRefine((text, ctx) => {
    if (text !== SECRET_MASK && text.length < MIN_PASSPHRASE) fail(ctx, 'too_short', { min: MIN_PASSPHRASE })
  })
/** One that a backup has. */
export const givenPassphrase = z.string({ error: 'required' }).min(1, { error: 'required' }).max(1024)
