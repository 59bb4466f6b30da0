/**
 * The server in the test's own process, listening, with the built consoles: for what needs a simulator in an outside provider's place, whose
 * address is a constant in the product. All else is tested on a whole installation (../stack.ts).
 */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setup as startCluster } from '@tidegate/testkit/test-cluster'
import { type TestServer, testServer } from '../../apps/server/src/testing/app.ts'

const CONSOLE = join(import.meta.dirname, '../../dist/console')

export interface InProcess {
  server: TestServer
  /** `http://localhost:<port>/` */
  url: string
  close(): Promise<void>
}

export const startInProcess = async (
  env: Record<string, string>,
  replace: Parameters<typeof testServer>[1],
): Promise<InProcess> => {
  const stopCluster = await startCluster()
  const server = await testServer({ TIDEGATE_CONSOLE_DIR: CONSOLE, ...env }, replace)
  await server.app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.server.address() as AddressInfo
  return {
    server,
    url: `http://localhost:${port}/`,
    close: async () => {
      await server.close()
      await stopCluster()
    },
  }
}
