/** Nodes and service groups. */
import { z } from 'zod'
import { NODE_STATES } from '../enums.ts'
import { MAX_ALLOWED_ORIGINS, MAX_CACHE_MB } from '../limits.ts'
import { id, idIn, idOut, ids, int, none, operation, pageIn, pageOut } from '../operation.ts'
import { allowedOrigin, exactDomain } from '../validators.ts'
import { pushRef } from './site.ts'

export const nodeRow = z.object({
  id: z.int(),
  name: z.string(),
  groupId: z.int(),
  groupName: z.string(),
  state: z.enum(NODE_STATES),
  address: z.string(),
  hostname: z.string(),
  agentVersion: z.string(),
  engineVersion: z.string(),
  desiredRevision: z.int(),
  sentRevision: z.int(),
  appliedRevision: z.int(),
  /** Resources that the node refuses at present. */
  refusedNow: z.int(),
  /** ISO times, empty = never. */
  lastSeen: z.string(),
  lastAck: z.string(),
  certExpires: z.string(),
  /** Milliseconds, node minus server. */
  clockSkew: z.int(),
  engineUp: z.boolean(),
  load1: z.number(),
  cpus: z.int(),
  memTotal: z.number(),
  memFree: z.number(),
  diskTotal: z.number(),
  diskFree: z.number(),
  cacheBytes: z.number(),
  spoolBytes: z.number(),
  droppedLines: z.number(),
  sites: z.int(),
  httpPort: z.int(),
  httpsPort: z.int(),
  alerts: z.array(z.string()),
  remark: z.string(),
})
export type NodeRow = z.infer<typeof nodeRow>

export const groupRow = z.object({
  id: z.int(),
  name: z.string(),
  cnameZone: z.string(),
  nodes: z.int(),
  sites: z.int(),
  /** `host:port`, CIDR or `*`. */
  allowedPrivateOrigins: z.array(z.string()),
  cacheMaxMb: z.int(),
  remark: z.string(),
})

const name = z.string().trim().min(1, { error: 'required' }).max(64)
const remark = z.string().max(255).default('')

export const nodeOperations = [
  operation({
    id: 'node.list',
    method: 'POST',
    path: 'sys/cdn/node/list',
    audience: 'admin',
    permission: 'cdn:node:list',
    effect: 'read',
    input: pageIn.extend({ groupId: id.optional(), state: z.enum(NODE_STATES).optional() }),
    output: pageOut(nodeRow),
  }),
  operation({
    id: 'node.info',
    method: 'GET',
    path: 'sys/cdn/node/info/{id}',
    audience: 'admin',
    permission: 'cdn:node:list',
    effect: 'read',
    input: idIn,
    output: z.object({ data: nodeRow }),
  }),
  operation({
    id: 'node.save',
    method: 'POST',
    path: 'sys/cdn/node/save',
    audience: 'admin',
    permission: 'cdn:node:save',
    effect: 'write',
    input: z.object({ id, name, address: z.string().max(255).default(''), remark }),
    output: idOut,
  }),
  operation({
    /** Issues a one-time token and the command to type on the new server. The token is shown this once. */
    id: 'node.enrollToken',
    method: 'POST',
    path: 'sys/cdn/node/install/token',
    audience: 'admin',
    permission: 'cdn:node:save',
    effect: 'write',
    input: z.object({ name, groupId: id }),
    output: z.object({ data: z.object({ token: z.string(), command: z.string(), expires: z.string() }) }),
  }),
  operation({
    id: 'node.revoke',
    method: 'POST',
    path: 'sys/cdn/node/revoke',
    audience: 'admin',
    permission: 'cdn:node:delete',
    effect: 'write',
    input: idIn,
    output: none,
  }),
  operation({
    /** Only revoked or never enrolled nodes can be deleted. */
    id: 'node.delete',
    method: 'POST',
    path: 'sys/cdn/node/delete',
    audience: 'admin',
    permission: 'cdn:node:delete',
    effect: 'write',
    input: z.object({ ids }),
    output: none,
  }),
  operation({
    id: 'group.list',
    method: 'POST',
    path: 'sys/cdn/group/list',
    audience: 'admin',
    permission: 'cdn:group:list',
    effect: 'read',
    input: pageIn,
    output: pageOut(groupRow),
  }),
  operation({
    /** Changes a service group; what is left out stays. Its nodes get the new settings as a push. */
    id: 'group.save',
    method: 'POST',
    path: 'sys/cdn/group/save',
    audience: 'admin',
    permission: 'cdn:group:save',
    effect: 'write',
    input: z.object({
      id,
      name: name.optional(),
      /** Zone under which the CNAME targets of the group's sites live. */
      cnameZone: exactDomain.optional(),
      allowedPrivateOrigins: z.array(allowedOrigin).max(MAX_ALLOWED_ORIGINS).optional(),
      cacheMaxMb: int.min(16).max(MAX_CACHE_MB).optional(),
      remark: z.string().max(255).optional(),
    }),
    output: idOut.extend({ push: pushRef }),
  }),
]
