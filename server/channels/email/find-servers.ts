// The servers of mailboxes by their address.
import type { Provider, Server } from './mailbox.ts'
import { providerFacts } from './oauth.ts'

type Suggestion = { imap: Server; smtp: Server; note: string | null; provider: Provider | null }

const appPassword = (name: string) => `${name} needs an app password. Create one in your account’s security settings.`
const at = (imap: string, smtp: string, note: string | null = null): Suggestion => ({
  imap: { host: imap, port: 993, security: 'tls' },
  smtp: { host: smtp, port: 465, security: 'tls' },
  note,
  provider: null,
})
const ofProvider = (provider: Provider, note: string): Suggestion => {
  const { imap, smtp } = providerFacts[provider]
  return { imap, smtp, note, provider }
}

const google = ofProvider('google', appPassword('Google'))
const microsoft = ofProvider('microsoft', 'Microsoft does not accept passwords. Connect this mailbox by signing in.')
const icloud = { ...at('imap.mail.me.com', 'smtp.mail.me.com', appPassword('iCloud')) }

const known: Record<string, Suggestion> = {
  'gmail.com': google,
  'googlemail.com': google,
  'outlook.com': microsoft,
  'hotmail.com': microsoft,
  'live.com': microsoft,
  'msn.com': microsoft,
  'icloud.com': icloud,
  'me.com': icloud,
  'mac.com': icloud,
  'yahoo.com': at('imap.mail.yahoo.com', 'smtp.mail.yahoo.com', appPassword('Yahoo')),
  'aol.com': at('imap.aol.com', 'smtp.aol.com', appPassword('AOL')),
  'fastmail.com': at('imap.fastmail.com', 'smtp.fastmail.com', appPassword('Fastmail')),
  'zoho.com': at('imap.zoho.com', 'smtp.zoho.com', appPassword('Zoho')),
  'gmx.net': at('imap.gmx.net', 'mail.gmx.net', 'Turn on IMAP in the settings of GMX first.'),
  'gmx.de': at('imap.gmx.net', 'mail.gmx.net', 'Turn on IMAP in the settings of GMX first.'),
  'web.de': at('imap.web.de', 'smtp.web.de', 'Turn on IMAP in the settings of WEB.DE first.'),
}

export function serversFor(address: string): Suggestion {
  const domain = address.split('@').at(-1)!.toLowerCase()
  return known[domain] ?? at(`imap.${domain}`, `smtp.${domain}`)
}
