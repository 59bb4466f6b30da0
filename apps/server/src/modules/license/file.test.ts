import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { daysLeft, keyName, readLicense, signLicense, stateOf } from './file.ts'

const supplier = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')
const PAYLOAD = { id: 'A-7', holder: '海港公司', supplier: 'Tide Supplies', issued: '2026-01-05' }
const HERE = '7a2f6f0e-0b1e-4a55-9c0c-6a3f0f3b1f10'
const ELSEWHERE = '11111111-2222-4333-8444-555555555555'

describe('a license file', () => {
  const file = signLicense({ ...PAYLOAD, limits: { nodes: 5 } }, supplier.privateKey)

  it('is read under its supplier’s key, whichever of several it is', () => {
    const wanted = { payload: { ...PAYLOAD, contact: '', limits: { nodes: 5 } } }
    expect(readLicense(file, [supplier.publicKey])).toEqual(wanted)
    expect(readLicense(file, [other.publicKey, supplier.publicKey])).toEqual(wanted)
  })

  it('is forged without its supplier’s key, with another’s, or when one letter of it is another', () => {
    expect(readLicense(file, [])).toEqual({ fault: 'forged' })
    expect(readLicense(file, [other.publicKey])).toEqual({ fault: 'forged' })
    const more = file.replace('\\"nodes\\": 5', '\\"nodes\\": 9')
    expect(more).not.toBe(file)
    expect(readLicense(more, [supplier.publicKey])).toEqual({ fault: 'forged' })
    const outer = JSON.parse(file) as Record<string, string>
    for (const signature of ['', 'AAAA', Buffer.alloc(64).toString('base64')])
      expect(readLicense(JSON.stringify({ ...outer, signature }), [supplier.publicKey])).toEqual({ fault: 'forged' })
  })

  it.each([
    ['', 'nothing'],
    ['license', 'no JSON'],
    ['[]', 'a list'],
    ['{"tidegate":"backup","payload":"{}","signature":""}', 'another file of the product'],
    ['{"tidegate":"license","payload":{},"signature":""}', 'a payload that is no text'],
  ])('is not one: %s (%s)', (text) => {
    expect(readLicense(text, [supplier.publicKey])).toEqual({ fault: 'foreign' })
  })

  it('cannot be made of what is not in the right form', () => {
    for (const wrong of [
      { ...PAYLOAD, holder: '' },
      { ...PAYLOAD, issued: '5.1.2026' },
      { ...PAYLOAD, until: '2026-02-30' },
      { ...PAYLOAD, limits: { nodes: 0 } },
      { ...PAYLOAD, limits: { cores: 4 } },
      { ...PAYLOAD, installation: 'here' },
      { ...PAYLOAD, extra: 1 },
    ])
      expect(() => signLicense(wrong, supplier.privateKey)).toThrow()
  })

  it('holds to the end of its last day, and for its own installation or for any', () => {
    const until = '2026-11-30'
    const at = (time: string) => Date.parse(time)
    expect(daysLeft({ until }, at('2026-11-21T12:00:00Z'))).toBe(10)
    expect(daysLeft({ until }, at('2026-11-30T23:59:59Z'))).toBe(1)
    expect(daysLeft({ until }, at('2026-12-01T00:00:00Z'))).toBe(0)
    expect(daysLeft({}, at('2126-01-01T00:00:00Z'))).toBe(null)
    expect(stateOf({ until }, HERE, at('2026-11-30T23:59:59Z'))).toBe('valid')
    expect(stateOf({ until }, HERE, at('2026-12-01T00:00:00Z'))).toBe('expired')
    expect(stateOf({ until, installation: HERE }, HERE, at('2026-11-01T00:00:00Z'))).toBe('valid')
    expect(stateOf({ installation: ELSEWHERE }, HERE, 0)).toBe('elsewhere')
  })

  it('names keys by their hash', () => {
    expect(keyName(supplier.publicKey)).toMatch(/^[0-9a-f]{16}$/)
    expect(keyName(supplier.publicKey)).not.toBe(keyName(other.publicKey))
  })
})
