/** Serves uploaded files: the type that was found in the bytes, nothing that could run, names that never change their content. */
import type { FastifyInstance } from 'fastify'

export type ReadUpload = (name: string) => Promise<{ type: string; body: Uint8Array } | null>

export const mountUploads = (app: FastifyInstance, read: ReadUpload): void => {
  app.get<{ Params: { name: string } }>('/uploads/:name', async (request, reply) => {
    const file = await read(request.params.name)
    if (file === null) return reply.callNotFound()
    return reply
      .type(file.type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-disposition', 'inline')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(Buffer.from(file.body))
  })
}
