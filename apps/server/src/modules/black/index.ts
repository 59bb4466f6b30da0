/** The DNS blacklist: its entries, the decision on a name, and the list as servers take it. */
import type { BlackConfig } from '@tidegate/contract/config/black'
import { renderBlackRules } from '@tidegate/engine-files/dnsdist-black'
import type { FileBody, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Part } from '../../platform/part.ts'
import { iso } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { createCompiler, textOf } from './compiled.ts'
import { blackExport } from './export.ts'
import { importFile } from './import.ts'
import { categoriesInUse, checkName, listEntries, readState } from './list.ts'
import { noteReader, recentReaders } from './readers.ts'
import { clearEntries, deleteEntries, enableEntries, saveEntries } from './write.ts'

type Ids =
  | 'black.list'
  | 'black.save'
  | 'black.enable'
  | 'black.delete'
  | 'black.clear'
  | 'black.import'
  | 'black.export'
  | 'black.check'
  | 'black.state'
  | 'black.rules'
  | 'black.compiled'

export interface BlackDeps {
  db: Db
  clock: Clock
  /** The stored setting. */
  config(): Promise<BlackConfig>
  /** Folder of the compiled list. */
  dir: string
}

export const createBlackModule = (deps: BlackDeps): Part & { handlers: Handlers<Ids> } => {
  const { db, clock, config } = deps
  const compiler = createCompiler(deps)
  const now = () => new Date(clock.now())
  const day = () => now().toISOString().slice(0, 10)
  return {
    name: 'black',
    exports: [blackExport],
    handlers: {
      'black.list': (input) => listEntries(db, input),
      'black.save': async (input, caller) => ({
        count: await db.transaction((tx) => saveEntries(tx, input, caller, now())),
      }),
      'black.enable': async (input, caller) => ({
        count: await db.transaction((tx) => enableEntries(tx, input, caller, now())),
      }),
      'black.delete': async ({ ids }, caller) => {
        await db.transaction((tx) => deleteEntries(tx, ids, caller, now()))
        return {}
      },
      'black.clear': async (input, caller) => ({
        count: await db.transaction((tx) => clearEntries(tx, input, caller, now())),
      }),
      'black.import': (input, caller) => db.transaction((tx) => importFile(tx, input, caller, now())),
      'black.export': async (_input, caller): Promise<FileBody> => {
        await audit(db, caller, { action: 'black.export', target: 'dns blacklist' })
        return { type: 'text/plain; charset=utf-8', name: `dns-blacklist-${day()}.txt`, body: textOf(db) }
      },
      'black.check': async ({ domain }) => checkName(db, domain, await config()),
      'black.state': async () => {
        const state = await readState(db)
        const [categories, readers] = await Promise.all([categoriesInUse(db), recentReaders(db, compiler.hash, now())])
        const { total, active, changedAt } = state
        return { data: { total, active, changeTime: iso(changedAt), categories, readers } }
      },
      'black.rules': async ({ file }) => ({ data: { file, rules: renderBlackRules(await config(), file) } }),
      'black.compiled': async ({ have }, caller): Promise<FileBody> => {
        const { hash, size, body } = await compiler.read(have)
        await noteReader(db, caller, hash, now())
        return { type: 'application/octet-stream', name: 'tidegate-black.cdb', size, body }
      },
    },
  }
}
