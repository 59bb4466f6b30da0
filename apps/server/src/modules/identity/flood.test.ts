import { expect, it } from 'vitest'
import { createAdmin } from '../../testing/admins.ts'
import { ADMIN_PASSWORD, call, testServer } from '../../testing/app.ts'

const AT_ONCE = 16

/** Runs `work` for 0 to n-1, some at once. */
const each = async (n: number, work: (i: number) => Promise<void>) => {
  let next = 0
  const worker = async () => {
    while (next < n) {
      const i = next
      next += 1
      await work(i)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

it('stands 10,000 failed logins: one account, many addresses; one address, many names; others log in meanwhile', {
  timeout: 600_000,
}, async () => {
  let verifications = 0
  const server = await testServer(
    { TIDEGATE_LOGIN_CAPTCHA: 'off', TIDEGATE_LOG_LEVEL: 'error' },
    {
      wrapHasher: (hasher) => ({
        hash: hasher.hash,
        verify: (stored, password) => {
          verifications += 1
          return hasher.verify(stored, password)
        },
      }),
    },
  )
  await createAdmin(server, 'bystander', ['home:overview'])
  const statuses: Record<number, number> = {}
  const fail = async (username: string, ip: string) => {
    const { status } = await call(server, 'sys/login', { body: { username, password: 'wrong' }, ip })
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const bystander = async (ip: string) =>
    (await call(server, 'sys/login', { body: { username: 'bystander', password: ADMIN_PASSWORD }, ip })).status
  // One account from 5,000 addresses: ten verifications, then none.
  await each(5000, (i) => fail('admin', `10.1.${i >> 8}.${i & 255}`))
  expect([verifications, statuses]).toEqual([10, { 401: 10, 429: 4990 }])
  expect(await bystander('10.1.0.0')).toBe(200)
  verifications = 0
  // 5,000 names that nobody has from one address: one verification each, fifty in all.
  await each(5000, (i) => fail(`nobody-${i}`, '10.2.0.1'))
  expect([verifications, statuses]).toEqual([50, { 401: 60, 429: 9940 }])
  expect(await bystander('10.2.0.2')).toBe(200)
  expect(verifications).toBe(51)
  await server.close()
})
