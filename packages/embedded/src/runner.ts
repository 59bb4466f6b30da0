import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { ClusterError } from './errors.ts'

/** A way to run PostgreSQL's programs, which refuse to run as root. `uid` is what the data folder must belong to. */
export interface Runner {
  name: 'direct' | 'namespace' | 'nobody' | 'nobody-with-access'
  uid: number
  prefix: readonly string[]
}

const NOBODY = 65534
const toNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
// The secure bit lets access(2), which initdb asks about its neighbour, honour the capability.
const withAccess = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup']

/**
 * The ways that fit this process, best first. Root enters a user namespace, where it is nobody to PostgreSQL but keeps
 * its own files; where those are blocked it becomes nobody, if need be with leave to pass closed folders such as /root.
 */
export function runnersFor(uid: number): Runner[] {
  if (uid !== 0) return [{ name: 'direct', uid, prefix: [] }]
  return [
    { name: 'namespace', uid: 0, prefix: ['unshare', '-U'] },
    { name: 'nobody', uid: NOBODY, prefix: toNobody },
    { name: 'nobody-with-access', uid: NOBODY, prefix: [...toNobody, ...withAccess] },
  ]
}

/** The first runner that can really start `postgres` and enter the folder that holds `dir`. */
export function chooseRunner(candidates: Runner[], postgres: string, dir: string, env: NodeJS.ProcessEnv): Runner {
  const reasons: string[] = []
  for (const runner of candidates) {
    const [program = '', ...args] = [...runner.prefix, postgres, '--version']
    const started = spawnSync(program, args, { env, encoding: 'utf8', timeout: 10_000 })
    const [enter = '', ...enterArgs] = [...runner.prefix, 'stat', `${dirname(dir)}/.`]
    if (started.status === 0 && spawnSync(enter, enterArgs, { env, timeout: 10_000 }).status === 0) return runner
    reasons.push(
      `${runner.name}: ${started.error?.message ?? (started.stderr.trim() || `cannot enter ${dirname(dir)}`)}`,
    )
  }
  throw new ClusterError('no-runner', `PostgreSQL cannot be run here (${reasons.join('; ')}); set DATABASE_URL instead`)
}
