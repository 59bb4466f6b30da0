/** Keys for programs: a part of the owner's permissions, sent in the header `token` in a login's place. */
import { z } from 'zod'
import { id, idOut, ids, none, operation } from '../operation.ts'
import { addressList } from './security.ts'

export const apiKeyRow = z.object({
  id: z.int(),
  name: z.string(),
  /** The key's first characters. */
  hint: z.string(),
  scopes: z.array(z.string()),
  allowedIps: z.array(z.string()),
  enabled: z.boolean(),
  /** ISO times; empty = never. */
  expireTime: z.string(),
  expired: z.boolean(),
  createTime: z.string(),
  lastUse: z.string(),
  lastUseIp: z.string(),
})
export type ApiKeyRow = z.infer<typeof apiKeyRow>

const fields = z.object({
  name: z.string().trim().min(1, { error: 'required' }).max(40),
  scopes: z.array(z.string().max(80)).min(1, { error: 'required' }).max(200),
  /** Empty: from everywhere. */
  allowedIps: addressList.default([]),
  /** ISO time; null = never. */
  expireTime: z.iso.datetime({ error: 'invalid' }).nullable().default(null),
})

const own = {
  audience: 'any',
  permission: 'cdn:account:apikey',
  effect: 'write',
  ownOnly: true,
  method: 'POST',
} as const

export const apiKeyOperations = [
  operation({
    ...own,
    id: 'apikey.list',
    path: 'app/apikey/list',
    effect: 'read',
    input: none,
    output: z.object({
      data: z.object({
        list: z.array(apiKeyRow),
        /** What keys of this account can be given. */
        scopes: z.array(
          z.object({
            value: z.string(),
            /** As the roles' screen calls it. */
            name: z.object({ zh: z.string(), en: z.string() }),
            /** Screen it belongs to. */
            title: z.object({ zh: z.string(), en: z.string() }),
          }),
        ),
      }),
    }),
  }),
  operation({
    /** Makes a key, which is told this once, or changes one (`id`), whose key stays. */
    ...own,
    id: 'apikey.save',
    path: 'app/apikey/save',
    input: fields.extend({ id: id.optional() }),
    output: idOut.extend({ key: z.string().optional() }),
  }),
  operation({
    ...own,
    id: 'apikey.enable',
    path: 'app/apikey/enable',
    input: z.object({ id, enabled: z.boolean() }),
    output: none,
  }),
  operation({ ...own, id: 'apikey.delete', path: 'app/apikey/delete', input: z.object({ ids }), output: none }),
] as const
