// SMTP_URL and MAIL_FROM: the mail server of the whole installation.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import parseAddresses from 'nodemailer/lib/addressparser'
import { mailSecurities } from '../../contract/mail.ts'
import { StartError } from '../platform/config.ts'
import type { MailServer } from './mail-server.ts'

type Given = { smtpUrl: string; mailFrom?: string | undefined; baseUrl?: URL | undefined }
type Security = MailServer['security']

const ports: Record<Security, number> = { tls: 465, starttls: 587, none: 25 }

export function readSmtpUrl({ smtpUrl, mailFrom, baseUrl }: Given): MailServer {
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
  const known = mailSecurities.find((one) => one === asked)
  if (known) return known
  if (asked !== null) throw unreadable()
  return isNextDoor(host) ? 'none' : 'starttls'
}

/** This machine, or a container beside it: there is nobody on the way who could listen. */
function isNextDoor(host: string) {
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
  const [sender, ...more] = parseAddresses(text, { flatten: true })
  if (sender?.address?.includes('@') && !more.length && !/[\r\n]/.test(text)) {
    return { name: sender.name, address: sender.address }
  }
  throw new StartError('MAIL_FROM is not one sender. Write it as Kith <kith@example.com>.')
}

const senderHost = (baseUrl: URL | undefined) => {
  const name = baseUrl?.hostname ?? 'localhost'
  return isIP(name.replace(/^\[|\]$/g, '')) ? 'localhost' : name
}

// The address holds a password, so the words do not repeat it.
const unreadable = () =>
  new StartError(
    'SMTP_URL could not be read. Write it as smtp://user:password@smtp.example.com:587 (STARTTLS), smtps://... (TLS) or smtp://...?security=none, with special characters of the password as %40.',
  )
