// Reads SMTP_URL and MAIL_FROM, the mail server of the installation.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import parseAddresses from 'nodemailer/lib/addressparser'
import { mailSecurities } from '../../contract/mail.ts'
import { StartError } from '../platform/config.ts'
import type { MailServer } from './mail-server.ts'

type MailConfig = { smtpUrl: string; mailFrom?: string | undefined; baseUrl?: URL | undefined }
type Security = MailServer['security']

const ports: Record<Security, number> = { tls: 465, starttls: 587, none: 25 }

export function readSmtpUrl({ smtpUrl, mailFrom, baseUrl }: MailConfig): MailServer {
  const url = URL.parse(smtpUrl)
  if (!url?.hostname) throw unreadable()
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const security = securityOf(url, host)
  return {
    host,
    port: Number(url.port) || ports[security],
    security,
    username: decode(url.username),
    password: decode(url.password),
    from: readSender(mailFrom ?? `Kith <no-reply@${senderHost(baseUrl)}>`),
  }
}

function securityOf({ protocol, searchParams }: URL, host: string): Security {
  if (protocol === 'smtps:') return 'tls'
  const asked = searchParams.get('security')
  const known = mailSecurities.find((security) => security === asked)
  if (known) return known
  if (asked !== null) throw unreadable()
  return isLocalHost(host) ? 'none' : 'starttls'
}

/** This machine or a container next to it, so that no one can intercept the connection. */
function isLocalHost(host: string) {
  if (isIP(host)) return ipaddr.process(host).range() === 'loopback'
  return !host.includes('.')
}

function decode(part: string) {
  try {
    return part ? decodeURIComponent(part) : null
  } catch {
    throw unreadable()
  }
}

function readSender(text: string) {
  const [sender, ...others] = parseAddresses(text, { flatten: true })
  if (sender?.address?.includes('@') && !others.length && !/[\r\n]/.test(text)) {
    return { name: sender.name, address: sender.address }
  }
  throw new StartError('MAIL_FROM must be a single sender, such as Kith <kith@example.com>.')
}

const senderHost = (baseUrl: URL | undefined) => {
  const name = baseUrl?.hostname ?? 'localhost'
  return isIP(name.replace(/^\[|\]$/g, '')) ? 'localhost' : name
}

// The URL contains a password, so the message does not repeat it.
const unreadable = () =>
  new StartError(
    'SMTP_URL is invalid. Use smtp://user:password@smtp.example.com:587 (STARTTLS), smtps://... (TLS) or smtp://...?security=none, and encode special characters in the password (@ as %40).',
  )
