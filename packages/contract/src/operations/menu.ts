/** The menu as administrators edit it; what each person sees of it is `menu.nav` in common.ts. */
import { z } from 'zod'
import { CONSOLES, MENU_TYPES } from '../enums.ts'
import { CUSTOM_FLAGS } from '../features.ts'
import { id, idIn, idOut, int, none, operation } from '../operation.ts'
import { menuMeta } from './common.ts'

/** Entries of this and higher ids were made by administrators; those below came with a release. */
export const FIRST_OWN_MENU_ID = 100_000
export const MENU_LEVELS = 3

const title = z.string().trim().min(1, { error: 'required' }).max(64)
/** In-app paths only: no scheme, no host. */
const path = z.string().regex(/^\/(?!\/)[\w/-]{0,200}$/, { error: 'invalid' })

const metaIn = z.object({
  title: z.object({ zh: title, en: title }),
  icon: z.string().max(32).optional(),
  hidden: z.boolean().optional(),
  custom: z.enum(CUSTOM_FLAGS).optional(),
  badge: menuMeta.shape.badge,
  isSub: z.boolean().optional(),
  redirect: path.optional(),
  levelHidden: z.boolean().optional(),
  selectMenu: path.optional(),
})

export const menuIn = z.object({
  parentId: id.nullable().default(null),
  url: path,
  type: z.literal(Object.values(MENU_TYPES)),
  sort: int.min(0).max(9999),
  /** Switched on: only an entry whose screen exists can be. */
  enabled: z.boolean(),
  consoles: z.array(z.enum(CONSOLES)).min(1, { error: 'required' }).max(4),
  /** Needed to see the entry; null: whoever is logged in. */
  permission: z.string().max(64).nullable().default(null),
  meta: metaIn,
})

export const menuRow = z.object({
  menuId: z.int(),
  parentId: z.int().nullable(),
  url: z.string(),
  type: z.int(),
  /** 1 to 3, counted from the top. */
  level: z.int(),
  sort: z.int(),
  enabled: z.boolean(),
  consoles: z.array(z.enum(CONSOLES)),
  permission: z.string().nullable(),
  meta: menuMeta,
  /** Came with a release: can be hidden, not deleted; its path, type and permission stay. */
  shipped: z.boolean(),
  /** Whether its screen exists; true for directories. */
  exists: z.boolean(),
})
export type MenuRow = z.infer<typeof menuRow>

export const menuOperations = [
  operation({
    /** All entries, in order; the tree is in `parentId`. */
    id: 'menu.list',
    method: 'GET',
    path: 'sys/menu/list',
    audience: 'admin',
    permission: 'account:role:menu',
    effect: 'read',
    input: none,
    output: z.object({ menuList: z.array(menuRow) }),
  }),
  operation({
    /** Every permission with the entry it belongs to, and the directories above. */
    id: 'menu.allPerms',
    method: 'GET',
    path: 'sys/menu/allPerms',
    audience: 'admin',
    permission: 'account:role:list',
    effect: 'read',
    input: none,
    output: z.object({
      menuList: z.array(
        z.object({
          menuId: z.int(),
          parentId: z.int().nullable(),
          title: z.object({ zh: z.string(), en: z.string() }),
          permissions: z.array(
            z.object({
              value: z.string(),
              name: z.object({ zh: z.string(), en: z.string() }),
              /** Whether the caller holds it and so may give it. */
              held: z.boolean(),
            }),
          ),
        }),
      ),
    }),
  }),
  operation({
    id: 'menu.save',
    method: 'POST',
    path: 'sys/menu/save',
    audience: 'admin',
    permission: 'account:role:menu:save',
    effect: 'write',
    input: menuIn,
    output: idOut,
  }),
  operation({
    id: 'menu.update',
    method: 'POST',
    path: 'sys/menu/update',
    audience: 'admin',
    permission: 'account:role:menu:save',
    effect: 'write',
    input: z.object({ id, ...menuIn.shape }),
    output: idOut,
  }),
  operation({
    id: 'menu.delete',
    method: 'POST',
    path: 'sys/menu/delete/{id}',
    audience: 'admin',
    permission: 'account:role:menu:delete',
    effect: 'write',
    input: idIn,
    output: none,
  }),
]
