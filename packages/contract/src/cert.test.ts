import { describe, expect, it } from 'vitest'
import { CERT_FAULTS, CERT_MOVES, CERT_STATUSES, CERT_WARNINGS, certMayBecome, certStatus, certText } from './cert.ts'

describe('the states of a certificate', () => {
  it('are those of the specification, in its order', () => {
    expect(CERT_STATUSES).toEqual(['unapplied', 'applying', 'succeeded', 'failed', 'own', 'expired'])
  })

  it('follow each other by the table alone', () => {
    const legal = CERT_STATUSES.flatMap((from) =>
      CERT_STATUSES.filter((to) => certMayBecome(from, to)).map((to) => `${from} ${to}`),
    )
    expect(legal).toEqual([
      'unapplied applying',
      'unapplied own',
      'applying succeeded',
      'applying failed',
      'applying own',
      'succeeded succeeded',
      'succeeded own',
      'succeeded expired',
      'failed applying',
      'failed own',
      'own own',
      'own expired',
      'expired succeeded',
      'expired own',
    ])
    expect(Object.keys(CERT_MOVES)).toEqual([...CERT_STATUSES])
  })

  it('end by the clock, for certificates that there are', () => {
    expect(certStatus('succeeded', 1000, 999)).toBe('succeeded')
    expect(certStatus('succeeded', 1000, 1000)).toBe('expired')
    expect(certStatus('own', 1000, 1001)).toBe('expired')
    expect(certStatus('failed', null, 1001)).toBe('failed')
    expect(certStatus('applying', null, 1001)).toBe('applying')
  })
})

it('texts name their parameters in both languages', () => {
  for (const [key, text] of Object.entries({ ...CERT_FAULTS, ...CERT_WARNINGS })) {
    const names = (of: string) => [...of.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort()
    expect(names(text.zh), key).toEqual(names(text.en))
  }
  expect(certText({ key: 'dns_elsewhere', params: { name: 'a.example', found: '192.0.2.1' } }, 'en')).toBe(
    'a.example leads to 192.0.2.1, which is no address of ours',
  )
})
