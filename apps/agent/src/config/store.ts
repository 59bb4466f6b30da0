/** The last-known-good configuration: in memory and on disk, always in step. What `commit` has returned from survives a crash. */
import type { ConfigDelta } from '@tidegate/contract/node/config'
import { ensureDir } from '../files.ts'
import { errorText, type Log } from '../log.ts'
import { checkResource } from './check.ts'
import type { Change, Item, ItemKind } from './item.ts'
import { createRefusedSet, type RefusedEntry, type RefusedSet } from './refused.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'
import {
  appendChanges,
  FILE_KINDS,
  type Meta,
  previousDir,
  readMeta,
  readStateLines,
  rewriteState,
  type StateLine,
  stateDir,
  writeMeta,
} from './state-files.ts'

/** Below so many dead lines the files are not worth writing anew. */
const COMPACT_FROM = 2_000

export type Commit = Readonly<{
  revision: ConfigDelta['revision']
  scope: string
  changes: readonly Change[]
  /** Replaces what is known as refused for these resources. */
  refused: readonly RefusedEntry[]
  /** Names whose refusal falls away. */
  cleared: readonly { kind: string; key: string }[]
}>

export type Store = Readonly<{
  revision: () => number
  scope: () => string
  snapshot: Snapshot
  refused: RefusedSet
  /** Makes the changes durable, then takes them over. Throws when the disk refuses: nothing is taken over then. */
  commit: (commit: Commit) => Promise<void>
}>

/** Turns a line of the state files back into an item; undefined when it does not fit (a release that wrote more, or less). */
function itemOfLine(line: StateLine): Change | undefined {
  if (line.body === null) {
    const kind = FILE_KINDS.find((known) => known === line.kind)
    return kind === undefined ? undefined : { kind, key: line.key, hash: '', body: null }
  }
  // The stored body carries the node's addresses and may lack fields unknown to this release: its hash was checked on arrival.
  const checked = checkResource(
    { kind: line.kind, key: line.key, hash: line.hash, revision: 0, body: line.body },
    false,
  )
  if ('reason' in checked) return undefined
  if (checked.kind !== 'site' || checked.body === null) return checked
  return { ...checked, addresses: addressesIn(line.body, checked.body.origin.servers.length) }
}

function addressesIn(body: unknown, servers: number): string[][] {
  const found = typeof body === 'object' && body !== null && 'addresses' in body ? body.addresses : undefined
  const lists = Array.isArray(found) ? found : []
  return Array.from({ length: servers }, (_, index) => {
    const list: unknown = lists[index]
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : []
  })
}

type Loaded = { meta: Meta | undefined; changes: Change[]; lines: number }

async function loadGeneration(dir: string): Promise<Loaded> {
  const meta = await readMeta(dir)
  const changes: Change[] = []
  let lines = 0
  for (const kind of FILE_KINDS) {
    for (const line of await readStateLines(dir, kind)) {
      lines++
      const change = itemOfLine(line)
      if (change !== undefined) changes.push(change)
    }
  }
  return { meta, changes, lines }
}

/** The present generation, or the one before when the present one is damaged. */
async function load(nodeDir: string, log: Log): Promise<Loaded & { damaged: boolean }> {
  try {
    return { ...(await loadGeneration(stateDir(nodeDir))), damaged: false }
  } catch (error) {
    log.error('state_damaged', { error: errorText(error) })
  }
  try {
    return { ...(await loadGeneration(previousDir(nodeDir))), damaged: true }
  } catch (error) {
    log.error('previous_state_damaged', { error: errorText(error) })
    return { meta: undefined, changes: [], lines: 0, damaged: true }
  }
}

/** Loads what is on disk. A damaged state is replaced by the generation before it, or by nothing: the control plane has it all. */
export async function openStore(nodeDir: string, log: Log): Promise<Store> {
  await ensureDir(stateDir(nodeDir))
  const snapshot = createSnapshot()
  const refused = createRefusedSet()
  const loaded = await load(nodeDir, log)
  let lines = loaded.lines
  // Files that may not hold what memory holds, or are not there yet (the engine takes a missing journal of purges for a lost
  // one), are written anew by the next commit.
  let rewrite = loaded.damaged || loaded.meta === undefined
  let revision = loaded.meta?.revision ?? 0
  let scope = loaded.meta?.scope ?? ''
  for (const change of loaded.changes) snapshot.accept(change)
  for (const entry of loaded.meta?.refused ?? []) refused.set(entry)
  if (loaded.meta?.settings) {
    const { settings: body, settingsKey: key, settingsHash: hash } = loaded.meta
    snapshot.accept({ kind: 'settings', key, hash, body })
  }
  log.info('state_loaded', { revision, sites: snapshot.count('site'), certs: snapshot.count('cert') })

  const metaNow = (): Meta => {
    const settings = snapshot.settings()
    const key = settings?.key ?? ''
    return {
      revision,
      scope,
      settings: settings?.body ?? null,
      settingsKey: key,
      settingsHash: settings?.hash ?? '',
      refused: refused.all(),
    }
  }
  const itemsOf = (kind: ItemKind): Item[] => [...snapshot.items()].filter((item) => item.kind === kind)

  /** Takes the commit into memory and gives the way back. */
  function accept(commit: Commit): () => void {
    const before = { revision, scope, refused: refused.all() }
    const undo = commit.changes.map((change): Change => {
      const held = snapshot.get(change.kind, change.key)
      snapshot.accept(change)
      return held ?? { kind: change.kind, key: change.key, hash: '', body: null }
    })
    revision = commit.revision
    scope = commit.scope
    for (const { kind, key } of commit.cleared) refused.delete(kind, key)
    for (const entry of commit.refused) refused.set(entry)
    return () => {
      for (const change of undo.reverse()) snapshot.accept(change)
      revision = before.revision
      scope = before.scope
      refused.clear()
      for (const entry of before.refused) refused.set(entry)
    }
  }

  /** The engine reads line by line and gives a host to one site only: a site that gives hosts up is taken out before others move in. */
  function leavers(changes: readonly Change[]): Change[] {
    return changes.flatMap((change): Change[] => {
      const held = snapshot.get(change.kind, change.key)
      if (change.kind !== 'site' || held?.kind !== 'site') return []
      const stays = change.body !== null && held.body.hosts.every((host) => change.body.hosts.includes(host))
      return stays ? [] : [{ kind: 'site', key: change.key, hash: '', body: null }]
    })
  }

  async function persist(changes: readonly Change[], leaving: readonly Change[]): Promise<void> {
    const living = FILE_KINDS.reduce((sum, kind) => sum + snapshot.count(kind), 0)
    if (rewrite || lines + changes.length - living > Math.max(COMPACT_FROM, living)) {
      await rewriteState(nodeDir, itemsOf, metaNow())
      lines = living
    } else {
      await appendChanges(stateDir(nodeDir), [...leaving, ...changes])
      lines += leaving.length + changes.length
      await writeMeta(stateDir(nodeDir), metaNow())
    }
    rewrite = false
  }

  return {
    revision: () => revision,
    scope: () => scope,
    snapshot,
    refused,
    commit: async (commit) => {
      const leaving = leavers(commit.changes)
      const undo = accept(commit)
      try {
        await persist(commit.changes, leaving)
      } catch (error) {
        undo()
        rewrite = true
        throw error
      }
    },
  }
}
