/** A mail server for whole-system tests: the product is set up to send through it, and what arrives can be awaited. */
import { writeFile } from 'node:fs/promises'
import { type SmtpPeer, startSmtpPeer } from '../../apps/server/src/testing/smtp-peer.ts'

export interface MailSink extends SmtpPeer {
  /** Environment for the product's processes, so that they trust the sink's certificate. `folder` takes its file. */
  environment(folder: string): Promise<Record<string, string>>
  /** Value of the mail settings that sends through the sink. */
  config: { host: string; port: number; tls: 'implicit'; username: string; password: string }
  /** The verification code in the next mail to the address. */
  code(address: string): Promise<string>
}

const USER = 'sender@example.com'
const PASSWORD = 'sink-Password1'

/** Listens on a free loopback port, with TLS from the first byte. */
export const startMailSink = async (): Promise<MailSink> => {
  const peer = await startSmtpPeer({ user: USER, password: PASSWORD })
  return {
    ...peer,
    config: { host: peer.host, port: peer.port, tls: 'implicit', username: USER, password: PASSWORD },
    environment: async (folder) => {
      const file = `${folder}/mail-sink.pem`
      await writeFile(file, peer.certificate)
      return { NODE_EXTRA_CA_CERTS: file }
    },
    code: async (address) => /\d{6}/.exec((await peer.next(address)).text)?.[0] ?? '',
  }
}
