/** A server that speaks S3 (s3rver), on loopback, with a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

export interface TestS3 {
  settings: { endpoint: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string }
  close(): Promise<void>
}

/** Starts it with one empty bucket. Its one account is fixed by s3rver. */
export const startS3 = async (bucket: string): Promise<TestS3> => {
  const directory = await mkdtemp(join(tmpdir(), 'tg-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    directory,
    silent: true,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    close: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
