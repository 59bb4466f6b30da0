/** Settings for tests, stored as the settings screens do. */
import { adminToken, call, type TestServer } from './app.ts'

/** Stores a config record (`mail_config`, `sms_bao`, …) and enables it; throws what the API answers when it is refused. */
export const saveConfig = async (server: TestServer, paramKey: string, value: object): Promise<void> => {
  const token = await adminToken(server)
  const body = { paramKey, paramValue: JSON.stringify(value), status: 1 }
  const reply = await call(server, 'sys/config/save', { token, body })
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
}
