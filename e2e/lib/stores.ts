/** What is in an installation's stores, read past the control plane. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCluster } from '@tidegate/embedded/cluster'
import pg from 'pg'

interface Folders {
  dataDir: string
  runDir: string
}

/** Runs one statement in the installation's running database, as the schema's owner. */
export async function sql<Row extends pg.QueryResultRow>(
  { dataDir, runDir }: Folders,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  // A running server is taken over as it is; it is not started and not stopped by this.
  const { ownerUrl } = await openCluster({ dir: join(dataDir, 'postgres'), runDir })
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Raw lines in the analytics store: how many, and how many different requests they are of. */
export async function rawLines({ dataDir }: Folders): Promise<{ lines: number; requests: number }> {
  const { port } = JSON.parse(readFileSync(join(dataDir, 'chdb', 'store.json'), 'utf8')) as { port: number }
  const key = readFileSync(join(dataDir, 'chdb.key'), 'utf8').trim()
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`tidegate:${key}`).toString('base64')}` },
    body: 'SELECT count() AS lines, uniqExact(rid) AS requests FROM request_log FORMAT JSONEachRow',
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error(`the analytics store answered ${answer.status}: ${await answer.text()}`)
  const { lines, requests } = JSON.parse(await answer.text()) as Record<'lines' | 'requests', string | number>
  return { lines: Number(lines), requests: Number(requests) }
}
