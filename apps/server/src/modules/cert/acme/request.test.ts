import { expect, it } from 'vitest'
import { pauseOf } from '../run.ts'
import { retryAfterOf } from './client.ts'
import { bindAccount, newKeyPem, readAccountKey } from './jws.ts'
import { ariName } from './request.ts'

it('a certificate is named as RFC 9773 names its example', () => {
  expect(ariName('69885B6B87464041E1B37B847BA0AE2CDE01C8D4', '87654321')).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
  expect(ariName('00', '1')).toBe('AA.AQ')
})

it('a wish to be left alone is seconds or a date', () => {
  const now = Date.parse('2026-11-22T10:00:00Z')
  expect(retryAfterOf('120', now)).toBe(120_000)
  expect(retryAfterOf('Sun, 22 Nov 2026 10:01:00 GMT', now)).toBe(60_000)
  expect(retryAfterOf('Sun, 22 Nov 2026 09:00:00 GMT', now)).toBe(0)
  expect(retryAfterOf('soon', now)).toBeNull()
  expect(retryAfterOf(undefined, now)).toBeNull()
})

it('pauses grow to an hour, and keep to what the authority asks for', () => {
  expect([0, 1, 2, 6, 7, 20].map((tries) => pauseOf(tries, 0) / 1000)).toEqual([30, 60, 120, 1920, 3600, 3600])
  expect(pauseOf(0, 7_200_000)).toBe(7_200_000)
})

it('the binding of an account carries its public key alone', () => {
  const key = readAccountKey(newKeyPem())
  const binding = bindAccount(key, 'https://ca.example/new', { kid: 'k', hmacKey: 'c2VjcmV0' })
  expect(JSON.parse(Buffer.from(binding.payload, 'base64url').toString())).toEqual(key.jwk)
  expect(Object.keys(key.jwk)).toEqual(['crv', 'kty', 'x', 'y'])
})
