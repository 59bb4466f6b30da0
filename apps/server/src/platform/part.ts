/** What a module gives to the composition root. Every member but the name is optional. */
import type { AllHandlers } from './caller.ts'
import type { Exportable } from './exportable.ts'
import type { JobDefinition } from './jobs.ts'
import type { TaskKind } from './task.ts'

export type Role = 'api' | 'worker' | 'ingest'
export const ROLES: readonly Role[] = ['api', 'worker', 'ingest']

/** A subcommand of the server's program: `args` after its name; answers the exit code. */
export type Command = (args: readonly string[], print: (line: string) => void) => Promise<number>

export interface Part {
  name: string
  handlers?: Partial<AllHandlers>
  /** Called once, when everything is built; starts only what the roles ask for. */
  start?(roles: ReadonlySet<Role>): Promise<void>
  stop?(): Promise<void>
  /** For /readyz: null when ready, else why not. */
  ready?(): Promise<string | null>
  jobs?: readonly JobDefinition[]
  /** Kinds of scheduled tasks (modules/schedule). */
  tasks?: readonly TaskKind[]
  /** Lists that can be exported as a file (modules/export). */
  exports?: readonly Exportable[]
  commands?: Readonly<Record<string, Command>>
  /** Ports that were bound, for ports.json, e.g. `{agent: 8444}`; asked for after `start`. */
  ports?(): Readonly<Record<string, number>>
}
