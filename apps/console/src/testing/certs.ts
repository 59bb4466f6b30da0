/** Certificates as the server gives them. */
import type { CertOrder, CertRow } from '@tidegate/contract/operations/cert'

const DAY = 86_400_000

export const orderOf = (more: Partial<CertOrder> = {}): CertOrder => ({
  ...{ id: 1, reason: 'apply', step: 'done', by: 'admin', authority: 'Peer CA', names: ['a.example'] },
  ...{ createTime: '2026-11-22T06:00:00.000Z', endTime: '', nextTime: '', tries: 0 },
  ...{ fault: '', detail: '', warnings: [], serial: '' },
  ...more,
})

/** One that ends in so many days. */
export const certOf = (id: number, days: number, more: Partial<CertRow> = {}): CertRow => ({
  ...{ id, remark: '', names: [`c${id}.example`], status: 'own', source: 'upload', userId: null, userName: '' },
  ...{ authorityId: null, authority: '', issuer: 'Peer CA', notBefore: new Date(Date.now() - DAY).toISOString() },
  ...{ notAfter: new Date(Date.now() + days * DAY).toISOString(), serial: '0A', autoRenew: true, sites: 1 },
  ...{ order: null, updateTime: '2026-11-22T06:00:00.000Z' },
  ...more,
})
