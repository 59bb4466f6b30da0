/** The specification's calls about config records and the database's export and import, by their exact paths and names, under every base. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SECRET_MASK } from '@tidegate/contract/config/record'
import { API_BASES } from '@tidegate/contract/enums'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { ADMIN_PASSWORD, adminToken, call, callForm, type TestServer, testServer } from '../../testing/app.ts'
import { CONFIG_PERMISSIONS } from './index.ts'

let server: TestServer
let token = ''
beforeAll(async () => {
  server = await testServer()
  token = await adminToken(server)
})
afterAll(() => server.close())

type Json = Record<string, unknown>
const RECORD = {
  id: expect.any(Number),
  paramKey: expect.any(String),
  remark: expect.any(String),
  paramValue: expect.any(String),
  status: expect.any(Number),
}
const SECRET = 'smtp-Secret-1'
const MAIL = { host: 'smtp.example.com', username: 'ops@example.com', password: SECRET, port: 465 }
const masked = JSON.stringify({ ...MAIL, password: SECRET_MASK })

interface Row {
  method: 'GET' | 'POST'
  path: string
  body?: (id: number) => Json
  /** What the answer has beside code 1. */
  gives: Json
}

const PATHS: Row[] = [
  {
    method: 'GET',
    path: 'list?page=1&limit=50',
    gives: { data: { list: expect.arrayContaining([expect.objectContaining(RECORD)]) } },
  },
  { method: 'GET', path: 'info/20', gives: { data: { ...RECORD, paramKey: 'mail_config' } } },
  { method: 'GET', path: 'info2/mail_config', gives: { data: { ...RECORD, id: 20 } } },
  { method: 'GET', path: 'kinfo?key=mail_config', gives: { data: { ...RECORD, id: 20 } } },
  { method: 'GET', path: 'update/status/20', gives: { status: 0 } },
  { method: 'GET', path: 'update/conf/status?key=mail_config&status=1', gives: { status: 1 } },
  {
    method: 'GET',
    path: 'getParamClass',
    gives: { data: expect.arrayContaining([expect.objectContaining({ paramClass: 'mail' })]) },
  },
  { method: 'GET', path: 'ants/conf/view', gives: { data: { mail_config: { password: SECRET_MASK } } } },
  {
    method: 'POST',
    path: 'save',
    body: () => ({ paramKey: 'mail_config', paramValue: masked }),
    gives: { id: 20 },
  },
  {
    method: 'POST',
    path: 'update',
    body: () => ({ id: 20, paramKey: 'mail_config', remark: 'ours', paramValue: masked }),
    gives: { id: 20 },
  },
  { method: 'POST', path: 'delete', body: (id) => ({ ids: [id] }), gives: {} },
]

const proofOf = async (as = token) =>
  String((await call(server, 'sys/backup/prove', { token: as, body: { password: ADMIN_PASSWORD } })).body.proof)

/** The bytes of an export, and how they were named. */
const exported = async (base: string, passphrase: string) => {
  const body = { proof: await proofOf(), passphrase }
  const { ticket } = (await call(server, `${base}sys/config/export/ticket`, { token, body })).body
  const url = `${base}sys/config/export/db?ticket=${ticket}`
  return await server.app.server.inject({ method: 'GET', url, headers: { token } })
}

it('take list, info, info2, kinfo, update/status, update/conf/status, getParamClass, ants/conf/view, save, update, delete, export/db and import/db; secrets are masked and kept, the export is the super administrator’s, audited and encrypted [S7.10]', async () => {
  const passphrase = 'of this very test'
  const post = (path: string, body: Json) => call(server, path, { token, body })
  for (const base of API_BASES) {
    await post(`${base}sys/config/save`, { paramKey: 'mail_config', paramValue: JSON.stringify(MAIL) })
    const own = await post(`${base}sys/config/save`, { paramKey: 'own.key', paramValue: '1' })
    for (const { method, path, body, gives } of PATHS) {
      const given = body && { body: body(Number(own.body.id)) }
      const reply = await call(server, `${base}sys/config/${path}`, { method, token, ...given })
      expect([path, reply.status, reply.body]).toMatchObject([path, 200, { code: 1, ...gives }])
      expect(JSON.stringify(reply.body), path).not.toContain(SECRET)
      // The mask was saved twice on the way: what is stored is what it was.
      expect((await server.built.settings.store.get('mail'))?.password, path).toBe(SECRET)
    }
    expect((await call(server, `${base}sys/config/info/${own.body.id}`, { method: 'GET', token })).status).toBe(404)

    const file = await exported(base, passphrase)
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'application/octet-stream'])
    expect(file.rawPayload.toString('latin1')).not.toMatch(/mail_config|admin_role|smtp\.example/)
    const wrong = { proof: await proofOf(), passphrase: 'not the right one' }
    const refused = await callForm(server, `${base}sys/config/import/db`, wrong, file.rawPayload, { token })
    expect(refused.body).toMatchObject({ code: 400, errors: [{ path: 'passphrase' }] })
    const fields = { proof: await proofOf(), passphrase }
    const imported = await callForm(server, `${base}sys/config/import/db`, fields, file.rawPayload, { token })
    expect(imported.body).toMatchObject({ code: 1, rows: expect.any(Number), version: expect.any(String) })
    // Left to the next start of the control plane; this one goes on.
    expect(readdirSync(join(server.dataDir, 'restore'))).toContain('request.json')
    rmSync(join(server.dataDir, 'restore'), { recursive: true })
  }
  const { rows } = await server.built.context.database.pool.query<{ action: string; n: number }>(
    "SELECT action, count(*)::int AS n FROM audit_log WHERE action IN ('config.export', 'config.import') GROUP BY action ORDER BY action",
  )
  expect(rows).toEqual([
    { action: 'config.export', n: API_BASES.length },
    { action: 'config.import', n: API_BASES.length },
  ])

  await createAdmin(server, 'all-but-super', [...CONFIG_PERMISSIONS, 'system:backup', 'system:backup:make'])
  const other = await loginAs(server, 'all-but-super')
  const asked = { proof: 'x', passphrase }
  expect((await call(server, 'sys/config/export/ticket', { token: other, body: asked })).status).toBe(403)
  expect((await call(server, 'sys/config/export/db?ticket=x', { method: 'GET', token: other })).status).toBe(403)
  const file = Buffer.from('x')
  expect((await callForm(server, 'sys/config/import/db', asked, file, { token: other })).status).toBe(403)
})
