/** What anybody may read of an installation: website, service agreement, release notes. And the settings' own overview. */
import { z } from 'zod'
import { webConfig } from '../config/web.ts'
import { int, none, operation } from '../operation.ts'

const open = { method: 'GET', audience: 'public', permission: null, effect: 'read' } as const

export const pageOperations = [
  operation({
    ...open,
    id: 'web.config',
    path: 'app/common/web/config',
    input: none,
    output: z.object({ data: webConfig }),
  }),
  operation({
    /** The service agreement in the caller's language; in the other where there is none. */
    ...open,
    id: 'web.agent',
    path: 'app/common/web/agent',
    input: none,
    output: z.object({ data: z.object({ title: z.string(), content: z.string() }) }),
  }),
  operation({
    /** Release notes of the product, newest first. */
    ...open,
    id: 'web.updateLog',
    path: 'app/common/web/update/log',
    input: z.object({ page: int.min(1).default(1), limit: int.min(1).max(100).default(20) }),
    output: z.object({
      data: z.object({
        list: z.array(z.object({ version: z.string(), date: z.string(), notes: z.array(z.string()) })),
        totalCount: z.int(),
      }),
    }),
  }),
  operation({
    id: 'system.overview',
    method: 'GET',
    path: 'sys/system/overview',
    audience: 'admin',
    permission: 'system:overview',
    effect: 'read',
    input: none,
    output: z.object({
      data: z.object({
        version: z.string(),
        node: z.string(),
        /** Seconds. */
        uptime: z.number(),
        dataDir: z.string(),
        timeZone: z.string(),
        /** Bytes. */
        disk: z.object({ total: z.number(), free: z.number(), short: z.boolean(), low: z.boolean() }),
        database: z.object({ version: z.string(), bytes: z.number(), outside: z.boolean() }),
        analytics: z.object({ ok: z.boolean(), set: z.boolean(), outside: z.boolean() }),
        jobs: z.object({ waiting: z.int(), failed: z.int(), workers: z.int() }),
        /** ISO times, empty = never. */
        backup: z.object({ time: z.string() }).nullable(),
        uploads: z.object({ files: z.int(), bytes: z.number() }),
        /** By screen: records that are set, and those that must be set before they do anything. */
        records: z.array(
          z.object({
            paramKey: z.string(),
            paramClass: z.string(),
            remark: z.string(),
            set: z.boolean(),
            status: z.int(),
          }),
        ),
      }),
    }),
  }),
  operation({
    /** Under which addresses nodes and people reach this installation, and what decides them. */
    id: 'system.install',
    method: 'GET',
    path: 'sys/system/install',
    audience: 'admin',
    permission: 'system:install',
    effect: 'read',
    input: none,
    output: z.object({
      data: z.object({
        /** Empty: none was given, and nodes use the address that the server listens at. */
        publicUrl: z.string(),
        /** Address of the nodes' own port. */
        agentUrl: z.string(),
        bind: z.string(),
        /** Seconds that a token of an install command lives. */
        tokenTtl: z.int(),
      }),
    }),
  }),
  operation({
    /** Token and address with which outside monitors bring their results. `importUrl` is that of the operations `monitor.*`. */
    id: 'dispatch.key',
    method: 'GET',
    path: 'sys/cdnsys/auth/check/key/show',
    audience: 'admin',
    permission: 'cdn:dispatch:config:save',
    effect: 'read',
    input: none,
    output: z.object({ token: z.string(), importUrl: z.string() }),
  }),
  operation({
    /** A new token; the old one ends at once. */
    id: 'dispatch.renewKey',
    method: 'POST',
    path: 'sys/cdnsys/auth/check/key/renew',
    audience: 'admin',
    permission: 'cdn:dispatch:config:save',
    effect: 'write',
    input: none,
    output: none,
  }),
]
