/** `admin license`: what holds here; and the supplier's side: a pair of keys, and signing a file with it. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { OutputOf } from '@tidegate/contract/operations/index'
import type { Command } from '../../platform/part.ts'
import { licensePayload, signLicense } from './file.ts'

type Data = OutputOf<'license.info'>['data']

const show =
  (info: () => Promise<Data>): Command =>
  async (_args, print) => {
    const { state, license, installation, nodes, sites, customers } = await info()
    print(`license: ${state}`)
    if (license)
      print(`holder: ${license.holder} (${license.supplier} ${license.id}, until ${license.until || 'no end'})`)
    print(`installation: ${installation.id}`)
    for (const [name, { used, limit }] of Object.entries({ nodes, sites, customers }))
      print(`${name}: ${used}${limit === null ? '' : ` of ${limit}`}`)
    return 0
  }

/** Writes a new private key for its owner alone and prints the public one; never replaces a file. */
const newKey: Command = async ([file], print) => {
  if (file === undefined) {
    print('usage: admin license-key FILE')
    return 2
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' })
  print(`TIDEGATE_LICENSE_KEYS=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`)
  return 0
}

const sign: Command = async ([keyFile, payloadFile], print) => {
  if (keyFile === undefined || payloadFile === undefined) {
    print('usage: admin license-sign KEYFILE PAYLOADFILE')
    return 2
  }
  const key = createPrivateKey(await readFile(keyFile))
  const payload = licensePayload.safeParse(JSON.parse(await readFile(payloadFile, 'utf8')))
  if (!payload.success) {
    for (const { path, message } of payload.error.issues) print(`error: ${path.join('.')}: ${message}`)
    return 1
  }
  print(signLicense(payload.data, key).trimEnd())
  return 0
}

export const licenseCommands = (info: () => Promise<Data>): Readonly<Record<string, Command>> => ({
  'admin license': show(info),
  'admin license-key': newKey,
  'admin license-sign': sign,
})
