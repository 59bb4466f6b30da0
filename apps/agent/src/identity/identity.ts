/** Who this node is: certificate, CA and names from enrolment, kept in `<node dir>/identity.json` (0600). */
import { join } from 'node:path'
import { z } from 'zod'
import { readIfExists, writeFileAtomic } from '../files.ts'

const identityFile = z.object({
  nodeId: z.int(),
  nodeName: z.string(),
  scope: z.string(),
  certificate: z.string(),
  ca: z.string(),
  /** SHA-256 of the CA's DER: which installation the node belongs to. */
  caSha256: z.string(),
  /** SHA-256 of the token that was used, so that the same one in the environment is not tried again. */
  tokenSha256: z.string(),
  keyPem: z.string(),
})
export type Identity = Readonly<z.infer<typeof identityFile>>

const path = (nodeDir: string) => join(nodeDir, 'identity.json')

/** The stored identity, or undefined when the node was never enrolled. Throws on an unreadable file. */
export async function loadIdentity(nodeDir: string): Promise<Identity | undefined> {
  const text = await readIfExists(path(nodeDir))
  return text === undefined ? undefined : identityFile.parse(JSON.parse(text))
}

/** Stores the identity atomically: key and certificate change together or not at all. */
export async function saveIdentity(nodeDir: string, identity: Identity): Promise<void> {
  await writeFileAtomic(path(nodeDir), `${JSON.stringify(identity, null, 1)}\n`)
}
