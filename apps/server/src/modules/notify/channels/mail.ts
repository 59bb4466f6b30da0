/** Mail by SMTP. Certificates are always checked; without TLS nothing is sent. */
import { type MailConfig, mailTls } from '@tidegate/contract/config/mail'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { DeliveryError } from '../fault.ts'
import type { Outgoing, Send } from './types.ts'

export interface MailOptions {
  /** Certificates of authorities to be trusted beside the system's (PEM). */
  ca?: readonly string[]
  /** Milliseconds for the connection, the greeting, and silence. */
  timeoutMs?: number
}

interface SmtpFailure extends Error {
  code?: string
  responseCode?: number
  response?: string
}

const TIMEOUT_MS = 10_000

/** nodemailer's message of a failed certificate check begins so (node:tls codes). */
const CERTIFICATE = /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS_CERT|HOSTNAME_MISMATCH)|certificate/i

/** Puts a failure into a class. `handed`: the message itself may have been taken. */
const classify = (error: SmtpFailure, handed: boolean): DeliveryError => {
  const words = error.response ?? error.message
  const status = error.responseCode ?? 0
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH') return new DeliveryError('auth', words, 'fail')
  if (status >= 500) return new DeliveryError('refused', words, 'fail')
  if (status >= 400) return new DeliveryError('temporary', words, 'retry')
  if (handed) return new DeliveryError('silent', words, 'unknown')
  if (CERTIFICATE.test(error.code ?? '') || CERTIFICATE.test(error.message))
    return new DeliveryError('certificate', words, 'fail')
  if (error.code === 'ETLS') return new DeliveryError('refused', words, 'fail')
  return new DeliveryError('unreachable', words, 'retry')
}

/** The message with headers of an automatic one (RFC 3834); its id is the notice's, so that a repetition can be told. */
const compose = (config: MailConfig, notice: Outgoing, from: string): Promise<Buffer> => {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const mail = new MailComposer({
    from: { name: config.fromName, address: from },
    to: { name: '', address: notice.to },
    subject: notice.rendered.subject,
    text: notice.rendered.text,
    html: notice.rendered.html,
    messageId: `<${notice.id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return new Promise((done, failed) =>
    mail.compile().build((error, message) => (error ? failed(error) : done(message))),
  )
}

const connection = (config: MailConfig, options: MailOptions) => {
  const timeout = options.timeoutMs ?? TIMEOUT_MS
  const secure = mailTls(config) === 'implicit'
  return new SMTPConnection({
    host: config.host,
    port: config.port,
    secure,
    requireTLS: !secure,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    tls: { minVersion: 'TLSv1.2', ...(options.ca && { ca: [...options.ca] }) },
  })
}

/** Connects and logs in, then hands over. */
export const createMailSender =
  (config: MailConfig, options: MailOptions = {}): Send =>
  async (notice) => {
    const message = await compose(config, notice, config.username)
    const smtp = connection(config, options)
    let handed = false
    try {
      return await new Promise<string>((done, failed) => {
        smtp.on('error', failed)
        smtp.on('end', () => failed(new Error('the server closed the connection')))
        const hand = async () => {
          await notice.handing()
          handed = true
          smtp.send({ from: config.username, to: [notice.to] }, message, (error, info) =>
            error ? failed(error) : done(info?.response ?? ''),
          )
        }
        smtp.connect((error) => {
          if (error) return failed(error)
          smtp.login(
            { user: config.username, credentials: { user: config.username, pass: config.password } },
            (refused) => (refused ? failed(refused) : void hand().catch(failed)),
          )
        })
      })
    } catch (error) {
      if (!(error instanceof Error) || error.name === 'LostLease') throw error
      throw classify(error, handed)
    } finally {
      smtp.close()
    }
  }
