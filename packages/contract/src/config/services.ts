/** Outside services beside payment, mail and SMS: storage of uploads, identity. */
import type { z } from 'zod'
import { type Param, paramSchema } from './params.ts'

const s3 = { name: 'type', is: ['s3'] } as const
/** Record `storage`: where uploads are kept. */
export const STORAGE_PARAMS = [
  { name: 'type', kind: 'choice', choices: ['disk', 's3'], preset: 'disk' },
  { name: 'endpoint', kind: 'address', when: s3 },
  { name: 'region', kind: 'text', preset: 'us-east-1', when: s3 },
  { name: 'bucket', kind: 'text', when: s3 },
  { name: 'prefix', kind: 'text', optional: true, when: s3 },
  { name: 'accessKeyId', kind: 'text', when: s3 },
  { name: 'secretAccessKey', kind: 'text', secret: true, when: s3 },
] as const satisfies readonly Param[]
export const storageConfig = paramSchema(STORAGE_PARAMS)
export type StorageConfig = z.output<typeof storageConfig>

const aliyun = { name: 'provider', is: ['aliyun'] } as const
const tencent = { name: 'provider', is: ['tencent'] } as const
const http = { name: 'provider', is: ['http'] } as const
/** Record `identity_api`: who compares a name with an identity number. */
export const IDENTITY_PARAMS = [
  { name: 'provider', kind: 'choice', choices: ['aliyun', 'tencent', 'http'], preset: 'aliyun' },
  { name: 'accessKeyId', kind: 'text', when: aliyun },
  { name: 'accessKeySecret', kind: 'text', secret: true, when: aliyun },
  { name: 'secretId', kind: 'text', when: tencent },
  { name: 'secretKey', kind: 'text', secret: true, when: tencent },
  { name: 'url', kind: 'address', when: http },
  { name: 'method', kind: 'choice', choices: ['post', 'get'], preset: 'post', when: http },
  { name: 'appCode', kind: 'text', secret: true, when: http },
  { name: 'nameField', kind: 'text', preset: 'name', when: http },
  { name: 'numberField', kind: 'text', preset: 'idcard', when: http },
  { name: 'resultPath', kind: 'text', preset: 'data.result', when: http },
  { name: 'matchValue', kind: 'text', preset: '1', when: http },
  { name: 'endpoint', kind: 'address', optional: true, when: { name: 'provider', is: ['aliyun', 'tencent'] } },
] as const satisfies readonly Param[]
export const identityConfig = paramSchema(IDENTITY_PARAMS)

/** What an identity API says of a name and a number. `unknown`: it has no record of the number; `failed`: it did not say. */
export const IDENTITY_VERDICTS = ['match', 'mismatch', 'unknown', 'failed'] as const
export type IdentityVerdict = (typeof IDENTITY_VERDICTS)[number]
export type IdentityConfig = z.output<typeof identityConfig>
