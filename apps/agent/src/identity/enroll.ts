/** Enrolment with a one-time token, and renewal of the certificate before it runs out. */
import { hostname } from 'node:os'
import { sha256Hex } from '@tidegate/contract/node/hash'
import { AGENT_PATHS, AGENT_PROTOCOL, enrollReply, renewReply } from '@tidegate/contract/node/protocol'
import { type ControlClient, createControlClient } from '../control/client.ts'
import { createLink } from '../control/link.ts'
import { type Identity, saveIdentity } from './identity.ts'
import { certificateRequest, newPrivateKey } from './keys.ts'
import { fetchPinnedCa } from './pin.ts'

const PIN_TIMEOUT_MS = 10_000

export type Enrolment = Readonly<{
  nodeDir: string
  controlUrl: string
  caSha256: string
  token: string
  agentVersion: string
  engineVersion: string
}>

/** Enrols and stores the identity. Throws: CA not presented, token refused (ControlError 401/403), control plane away. */
export async function enroll(order: Enrolment): Promise<Identity> {
  const ca = await fetchPinnedCa(order.controlUrl, order.caSha256, PIN_TIMEOUT_MS)
  const keyPem = await newPrivateKey()
  const client = createControlClient(order.controlUrl, { ca }, createLink())
  try {
    const reply = await client.call(
      {
        method: 'POST',
        path: AGENT_PATHS.enroll,
        json: {
          protocol: AGENT_PROTOCOL,
          token: order.token,
          csr: await certificateRequest(keyPem),
          hostname: hostname(),
          agentVersion: order.agentVersion,
          engineVersion: order.engineVersion,
        },
      },
      enrollReply,
    )
    const identity: Identity = {
      nodeId: reply.nodeId,
      nodeName: reply.nodeName,
      scope: reply.scope,
      certificate: reply.certificate,
      // The pinned CA, not the one of the answer: trust comes from the operator's hash alone.
      ca,
      caSha256: order.caSha256,
      tokenSha256: sha256Hex(order.token),
      keyPem,
    }
    await saveIdentity(order.nodeDir, identity)
    return identity
  } finally {
    await client.close()
  }
}

/** Gets a certificate for a new key, stores both and gives the new identity. */
export async function renew(nodeDir: string, identity: Identity, client: ControlClient): Promise<Identity> {
  const keyPem = await newPrivateKey()
  const reply = await client.call(
    { method: 'POST', path: AGENT_PATHS.renew, json: { csr: await certificateRequest(keyPem) } },
    renewReply,
  )
  const renewed: Identity = { ...identity, certificate: reply.certificate, keyPem }
  await saveIdentity(nodeDir, renewed)
  client.use(renewed)
  return renewed
}
