/** Backups: settings, one made by the worker's job, fetched, asked to be restored; nothing here starts the server anew. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ADMIN_PASSWORD } from '../../../testing/app.ts'
import type { Step, Steps } from '../walk.ts'

const REQUEST = '0123456789abcdef0123456789abcdef'
const PASSPHRASE = 'the walk’s own passphrase'

export const backup: Steps = ({ server, secret }) => {
  let proof = ''
  let ticket = ''
  const dir = (name: string) => join(server().dataDir, name)
  const kept = () => readdirSync(dir('backups')).find((name) => name.endsWith('.backup')) ?? ''
  const prove: Step = {
    id: 'backup.prove',
    input: () => ({ password: ADMIN_PASSWORD }),
    keep: (reply) => {
      proof = String(reply.body.proof)
      secret(proof, 'backup.prove')
    },
  }
  // The next start would restore; this server goes on.
  const forget = () => rmSync(dir('restore'), { recursive: true })
  secret(PASSPHRASE, null)
  return [
    prove,
    {
      id: 'backup.settingsSave',
      input: () => ({ proof, target: { target: 'disk' }, passphrase: PASSPHRASE }),
      trace: 'both',
    },
    { id: 'backup.settings' },
    {
      id: 'backup.make',
      keep: async (reply) => {
        const jobs = server().built.parts.flatMap((part) => part.jobs ?? [])
        await jobs.find((job) => job.name === 'backup.make')?.run({ id: reply.body.id })
      },
    },
    { id: 'backup.state' },
    { id: 'backup.list' },
    prove,
    {
      id: 'config.exportTicket',
      input: () => ({ proof, name: kept(), place: 'disk' }),
      keep: (reply) => {
        ticket = String(reply.body.ticket)
        secret(ticket, 'config.exportTicket')
      },
    },
    { id: 'config.export', input: () => ({ ticket }) },
    prove,
    {
      id: 'config.import',
      input: () => ({ proof, passphrase: PASSPHRASE }),
      file: () => readFileSync(join(dir('backups'), kept())),
      trace: 'after',
      keep: forget,
    },
    prove,
    {
      id: 'backup.restore',
      input: () => ({ proof, passphrase: PASSPHRASE, name: kept(), place: 'disk', request: REQUEST }),
      trace: 'after',
      keep: forget,
    },
    { id: 'backup.outcome', input: () => ({ request: REQUEST }) },
    { id: 'backup.delete', input: () => ({ place: 'disk', names: [kept()] }), trace: 'before' },
  ]
}
