/** Certificates, uploaded and by ACME, and the authorities that issue them. */
import { z } from 'zod'
import {
  CERT_AUTHORITY_KINDS,
  CERT_ORDER_REASONS,
  CERT_SOURCES,
  CERT_STATUSES,
  CERT_STEPS,
  MAX_CERT_NAMES,
  needsEab,
} from '../cert.ts'
import { SECRET_MASK } from '../config/record.ts'
import { id, idIn, idOut, ids, none, operation, pageIn, pageOut } from '../operation.ts'
import { domain, fail, mailAddress } from '../validators.ts'
import { pushRef } from './site.ts'

const remark = z.string().trim().max(255)

/** An order as people see it. Texts are in the caller's language; `detail` is the authority's own. */
export const certOrder = z.object({
  id: z.int(),
  reason: z.enum(CERT_ORDER_REASONS),
  step: z.enum(CERT_STEPS),
  by: z.string(),
  authority: z.string(),
  names: z.array(z.string()),
  createTime: z.string(),
  endTime: z.string(),
  /** When it is tried again, ISO; empty = it is under way, or over. */
  nextTime: z.string(),
  tries: z.int(),
  fault: z.string(),
  detail: z.string(),
  warnings: z.array(z.string()),
  serial: z.string(),
})
export type CertOrder = z.infer<typeof certOrder>

export const certRow = z.object({
  id: z.int(),
  remark: z.string(),
  names: z.array(z.string()),
  status: z.enum(CERT_STATUSES),
  source: z.enum(CERT_SOURCES),
  /** The customer it belongs to; null = the operator's own. */
  userId: z.int().nullable(),
  userName: z.string(),
  /** null = uploaded. */
  authorityId: z.int().nullable(),
  authority: z.string(),
  /** Empty while there is no certificate yet, as are the ends. */
  issuer: z.string(),
  notBefore: z.string(),
  notAfter: z.string(),
  serial: z.string(),
  autoRenew: z.boolean(),
  /** How many sites use it. */
  sites: z.int(),
  /** The latest order by ACME. */
  order: certOrder.nullable(),
  updateTime: z.string(),
})
export type CertRow = z.infer<typeof certRow>

export const certInfo = certRow.extend({
  fingerprint: z.string(),
  siteList: z.array(z.object({ id: z.int(), domain: z.string(), enabled: z.boolean() })),
  /** The latest ones, the newest first. */
  orders: z.array(certOrder),
})
export type CertInfo = z.infer<typeof certInfo>

/** Names for a certificate by validation over HTTP: no wildcards. */
export const certNames = z
  .array(domain)
  .min(1, { error: 'required' })
  .max(MAX_CERT_NAMES)
  .superRefine((list, ctx) => {
    list.forEach((name, i) => {
      if (name.startsWith('*.')) fail(ctx, 'cert_wildcard', { value: name }, [i])
      if (list.indexOf(name) < i) fail(ctx, 'duplicate', { value: name }, [i])
    })
  })

export const authorityIn = z
  .object({
    id: id.optional(),
    name: z.string().trim().min(1, { error: 'required' }).max(60),
    kind: z.enum(CERT_AUTHORITY_KINDS),
    /** For `custom` only: the others' are known. */
    directoryUrl: z.string().trim().max(500).default(''),
    /** PEM certificates that are trusted for this directory beside the system's own. */
    caBundle: z.string().trim().max(65_536).default(''),
    /** For the authority's own notices; may be empty. */
    email: z.union([z.literal(''), mailAddress]).default(''),
    eabKid: z.string().trim().max(500).default(''),
    /** base64url, as the authority gives it; the mask keeps the stored one. */
    eabKey: z.string().trim().max(1000).default(''),
    enabled: z.boolean().default(true),
    isDefault: z.boolean().default(false),
  })
  .superRefine((ca, ctx) => {
    if (ca.kind === 'custom' && !/^https:\/\/[^\s/?#@]+(\/\S*)?$/i.test(ca.directoryUrl))
      fail(ctx, 'https_url', {}, ['directoryUrl'])
    if (needsEab(ca.kind) && ca.eabKid === '') fail(ctx, 'required', {}, ['eabKid'])
    if (ca.eabKid !== '' && ca.eabKey === '') fail(ctx, 'required', {}, ['eabKey'])
    if (ca.eabKey !== '' && ca.eabKid === '') fail(ctx, 'required', {}, ['eabKid'])
    if (ca.eabKey !== '' && ca.eabKey !== SECRET_MASK && !/^[A-Za-z0-9_-]{16,}={0,2}$/.test(ca.eabKey))
      fail(ctx, 'invalid', {}, ['eabKey'])
    if (ca.caBundle !== '' && !ca.caBundle.includes('-----BEGIN CERTIFICATE-----'))
      fail(ctx, 'certificate', {}, ['caBundle'])
  })
export type AuthorityIn = z.infer<typeof authorityIn>

export const authorityRow = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(CERT_AUTHORITY_KINDS),
  directoryUrl: z.string(),
  caBundle: z.string(),
  email: z.string(),
  eabKid: z.string(),
  /** The mask, or empty. */
  eabKey: z.string(),
  enabled: z.boolean(),
  isDefault: z.boolean(),
  /** Of our account there; empty = none yet. */
  accountUrl: z.string(),
  accountTime: z.string(),
  /** Certificates that it renews. */
  certs: z.int(),
  updateTime: z.string(),
})
export type AuthorityRow = z.infer<typeof authorityRow>

export const certOperations = [
  operation({
    /** Uploads a certificate. The key never comes back. */
    id: 'cert.save',
    method: 'POST',
    path: 'sys/cdn/cert/save',
    audience: 'any',
    permission: 'cdn:cert:save',
    effect: 'write',
    input: z.object({
      id: id.optional(),
      remark: remark.default(''),
      certPem: z.string().min(1, { error: 'required' }).max(65_536),
      keyPem: z.string().min(1, { error: 'required' }).max(16_384),
    }),
    output: z.object({ id: z.int(), push: z.array(pushRef) }),
  }),
  operation({
    id: 'cert.list',
    method: 'POST',
    path: 'sys/cdn/cert/list',
    audience: 'any',
    permission: 'cdn:cert:list',
    effect: 'read',
    input: pageIn.extend({
      status: z.enum(CERT_STATUSES).optional(),
      source: z.enum(CERT_SOURCES).optional(),
      userId: id.optional(),
    }),
    output: pageOut(certRow),
  }),
  operation({
    id: 'cert.info',
    method: 'GET',
    path: 'sys/cdn/cert/info/{id}',
    audience: 'any',
    permission: 'cdn:cert:list',
    effect: 'read',
    input: idIn,
    output: z.object({ data: certInfo }),
  }),
  operation({
    /** The chain as visitors get it, leaf first. */
    id: 'cert.chain',
    method: 'GET',
    path: 'sys/cdn/cert/chain/{id}',
    audience: 'any',
    permission: 'cdn:cert:list',
    effect: 'read',
    input: idIn,
    output: z.object({ data: z.object({ name: z.string(), certPem: z.string() }) }),
  }),
  operation({
    /** Applies for a free certificate for names of sites; these sites take it when it is there. */
    id: 'cert.apply',
    method: 'POST',
    path: 'sys/cdn/cert/apply',
    audience: 'any',
    permission: 'cdn:cert:save',
    effect: 'write',
    input: z.object({
      names: certNames,
      /** Absent: the one that is set as the usual one. */
      authorityId: id.optional(),
      remark: remark.default(''),
      autoRenew: z.boolean().default(true),
      /** False: the sites keep what they have. */
      bind: z.boolean().default(true),
    }),
    output: idOut,
  }),
  operation({
    /** Asks the authority (again): after a failure, or before it is time. */
    id: 'cert.renew',
    method: 'POST',
    path: 'sys/cdn/cert/renew',
    audience: 'any',
    permission: 'cdn:cert:save',
    effect: 'write',
    input: idIn,
    output: none,
  }),
  operation({
    id: 'cert.edit',
    method: 'POST',
    path: 'sys/cdn/cert/edit',
    audience: 'any',
    permission: 'cdn:cert:save',
    effect: 'write',
    input: z.object({ id, remark: remark.optional(), autoRenew: z.boolean().optional() }),
    output: none,
  }),
  operation({
    id: 'cert.delete',
    method: 'POST',
    path: 'sys/cdn/cert/delete',
    audience: 'any',
    permission: 'cdn:cert:save',
    effect: 'write',
    input: z.object({ ids }),
    output: none,
  }),
  operation({
    /** Authorities to choose from. */
    id: 'cert.authorities',
    method: 'GET',
    path: 'sys/cdn/cert/authorities',
    audience: 'any',
    permission: 'cdn:cert:list',
    effect: 'read',
    input: none,
    output: z.object({ data: z.array(z.object({ id: z.int(), name: z.string(), isDefault: z.boolean() })) }),
  }),
  operation({
    id: 'ca.list',
    method: 'GET',
    path: 'sys/cloud/ca/list',
    audience: 'admin',
    permission: 'cloud:ca',
    effect: 'read',
    input: none,
    output: z.object({ data: z.array(authorityRow) }),
  }),
  operation({
    id: 'ca.save',
    method: 'POST',
    path: 'sys/cloud/ca/save',
    audience: 'admin',
    permission: 'cloud:ca:save',
    effect: 'write',
    input: authorityIn,
    output: idOut,
  }),
  operation({
    id: 'ca.delete',
    method: 'POST',
    path: 'sys/cloud/ca/delete',
    audience: 'admin',
    permission: 'cloud:ca:save',
    effect: 'write',
    input: idIn,
    output: none,
  }),
  operation({
    /** Reads the directory. */
    id: 'ca.test',
    method: 'POST',
    path: 'sys/cloud/ca/test',
    audience: 'admin',
    permission: 'cloud:ca:save',
    effect: 'read',
    input: idIn,
    output: z.object({
      data: z.object({
        ok: z.boolean(),
        /** Why not, in the caller's language; the peer's own words. */
        fault: z.string(),
        detail: z.string(),
        ms: z.int(),
        terms: z.string(),
        /** Names that CAA records must carry. */
        caaNames: z.array(z.string()),
        needsEab: z.boolean(),
        /** Whether it says when to renew (RFC 9773). */
        renewalInfo: z.boolean(),
      }),
    }),
  }),
]
