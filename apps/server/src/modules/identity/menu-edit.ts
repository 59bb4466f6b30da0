/** The menu editor. What came with a release keeps its id, path, type and permission, and is hidden rather than deleted: later releases name it. */
import { type ConsoleId, MENU_TYPES } from '@tidegate/contract/enums'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import { FIRST_OWN_MENU_ID, MENU_LEVELS } from '@tidegate/contract/operations/menu'
import { screenExists } from '@tidegate/contract/screens'
import { asc, eq, sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Db, Queryable, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { oneAtATime } from './rights.ts'
import { menus, permissions } from './schema.ts'

type MenuRow = typeof menus.$inferSelect
type Fields = InputOf<'menu.save'>
type Shown = OutputOf<'menu.list'>['menuList'][number]

/** Without these nobody could undo a change of the menu. */
const ALWAYS_ON = [5, 52, 522]

const isShipped = (id: number) => id < FIRST_OWN_MENU_ID
const all = (on: Queryable) => on.select().from(menus).orderBy(asc(menus.sort), asc(menus.id))

/** 1 for the top; counts no further than the number of entries, whatever the data say. */
const levelOf = (entries: readonly MenuRow[], parentId: number | null): number => {
  let level = 1
  for (let up = parentId; up !== null && level <= entries.length; level += 1)
    up = entries.find((e) => e.id === up)?.parentId ?? null
  return level
}

/** Levels of the tree that begins with the entry. */
const heightOf = (entries: readonly MenuRow[], id: number): number =>
  1 + Math.max(0, ...entries.filter((e) => e.parentId === id).map((e) => heightOf(entries, e.id)))

const isBelow = (entries: readonly MenuRow[], id: number | null, above: number): boolean =>
  id !== null && (id === above || isBelow(entries, entries.find((e) => e.id === id)?.parentId ?? null, above))

const exists = (type: number, url: string, consoles: readonly string[]) =>
  type !== MENU_TYPES.screen || screenExists(url, consoles as ConsoleId[])

const present = (entry: MenuRow, entries: readonly MenuRow[]): Shown => ({
  menuId: entry.id,
  parentId: entry.parentId,
  url: entry.url,
  type: entry.type,
  level: levelOf(entries, entry.parentId),
  sort: entry.sort,
  enabled: entry.enabled,
  consoles: entry.consoles as ConsoleId[],
  permission: entry.permission,
  meta: entry.meta,
  shipped: isShipped(entry.id),
  exists: exists(entry.type, entry.url, entry.consoles),
})

/** Every permission with its entry and the directories above it. */
const allPerms = async (db: Db, caller: Caller) => {
  const [entries, perms] = [await all(db), await db.select().from(permissions).orderBy(asc(permissions.value))]
  const needed = new Set<number>()
  for (const { menuId } of perms)
    for (let up: number | null = menuId; up !== null && !needed.has(up); ) {
      needed.add(up)
      up = entries.find((e) => e.id === up)?.parentId ?? null
    }
  const menuList = entries
    .filter((e) => needed.has(e.id))
    .map((e) => ({
      menuId: e.id,
      parentId: e.parentId,
      title: e.meta.title,
      permissions: perms
        .filter((p) => p.menuId === e.id)
        .map(({ value, name }) => ({ value, name, held: caller.superAdmin || caller.permissions.has(value) })),
    }))
  return { menuList }
}

const checkPlace = (entries: readonly MenuRow[], input: Fields, id: number | null) => {
  if (input.parentId === null) return
  const parent = entries.find((e) => e.id === input.parentId)
  const fits =
    parent !== undefined &&
    (parent.type === MENU_TYPES.directory || input.type === MENU_TYPES.action) &&
    input.consoles.every((c) => parent.consoles.includes(c))
  if (!fits || (id !== null && isBelow(entries, input.parentId, id))) throw fieldError('parentId', 'menu_parent')
}

const check = async (tx: Tx, entries: readonly MenuRow[], input: Fields, id: number | null) => {
  checkPlace(entries, input, id)
  const height = id === null ? 1 : heightOf(entries, id)
  if (levelOf(entries, input.parentId) + height - 1 > MENU_LEVELS) throw fieldError('parentId', 'menu_level')
  if (input.enabled && !exists(input.type, input.url, input.consoles)) throw fieldError('enabled', 'screen_missing')
  const below = entries.filter((e) => e.parentId === id && id !== null)
  if (below.some((e) => e.consoles.some((c) => !input.consoles.includes(c as ConsoleId))))
    throw fieldError('consoles', 'invalid')
  if (below.length > 0 && input.type === MENU_TYPES.action) throw fieldError('type', 'invalid')
  const { permission } = input
  if (
    permission !== null &&
    (await row(tx, sql`SELECT 1 AS n FROM permission WHERE value = ${permission}`)) === undefined
  )
    if (entries.find((e) => e.id === id)?.permission !== permission) throw fieldError('permission', 'invalid')
}

/** What a release counts on. */
const protectShipped = (before: MenuRow, input: Fields) => {
  if (!isShipped(before.id)) return
  const { url, type, permission } = before
  const same = url === input.url && type === input.type && permission === input.permission
  if (!same) throw new AppError('fixed_entry')
  if (ALWAYS_ON.includes(before.id) && !input.enabled) throw new AppError('fixed_entry')
}

const valuesOf = ({ parentId, url, type, sort, enabled, consoles, permission, meta }: Fields) => ({
  parentId,
  url,
  type,
  sort,
  enabled,
  consoles,
  permission,
  // Entries that are undefined fall out, so that the row carries only what is set.
  meta: JSON.parse(JSON.stringify(meta)) as MenuRow['meta'],
})

const create = async (tx: Tx, input: Fields, caller: Caller): Promise<number> => {
  await oneAtATime(tx)
  const entries = await all(tx)
  await check(tx, entries, input, null)
  const id = Math.max(FIRST_OWN_MENU_ID - 1, ...entries.map((e) => e.id)) + 1
  const after = { id, ...valuesOf(input) }
  await tx.insert(menus).values(after)
  await audit(tx, caller, { action: 'menu.save', target: `menu ${id}`, after })
  return id
}

const update = async (tx: Tx, { id, ...input }: InputOf<'menu.update'>, caller: Caller) => {
  await oneAtATime(tx)
  const entries = await all(tx)
  const before = entries.find((e) => e.id === id)
  if (!before) throw new AppError('not_found')
  protectShipped(before, input)
  await check(tx, entries, input, id)
  const after = { id, ...valuesOf(input) }
  await tx.update(menus).set(after).where(eq(menus.id, id))
  await audit(tx, caller, { action: 'menu.update', target: `menu ${id}`, before, after })
}

const remove = async (tx: Tx, id: number, caller: Caller) => {
  await oneAtATime(tx)
  const entries = await all(tx)
  const before = entries.find((e) => e.id === id)
  if (!before) throw new AppError('not_found')
  if (isShipped(id)) throw new AppError('fixed_entry')
  if (entries.some((e) => e.parentId === id)) throw new AppError('in_use')
  await tx.delete(menus).where(eq(menus.id, id))
  await audit(tx, caller, { action: 'menu.delete', target: `menu ${id}`, before })
}

type Ids = 'menu.list' | 'menu.allPerms' | 'menu.save' | 'menu.update' | 'menu.delete'

export const createMenuEditor = (db: Db): Handlers<Ids> => ({
  'menu.list': async () => {
    const entries = await all(db)
    return { menuList: entries.map((entry) => present(entry, entries)) }
  },
  'menu.allPerms': (_input, caller) => allPerms(db, caller),
  'menu.save': async (input, caller) => ({ id: await db.transaction((tx) => create(tx, input, caller)) }),
  'menu.update': async (input, caller) => {
    await db.transaction((tx) => update(tx, input, caller))
    return { id: input.id }
  },
  'menu.delete': async ({ id }, caller) => {
    await db.transaction((tx) => remove(tx, id, caller))
    return {}
  },
})
