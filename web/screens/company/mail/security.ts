import type { mailSecurities } from '../../../../contract/mail.ts'

export type Security = (typeof mailSecurities)[number]

const ports: Record<Security, number> = { tls: 465, starttls: 587, none: 25 }

export const securityChoices: { value: Security; label: string }[] = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'None, unprotected' },
]

/** The port follows the security, unless somebody chose another one. */
export const portAfter = (now: { port: number | string; security: Security }, next: Security) =>
  Number(now.port) === ports[now.security] || now.port === '' ? ports[next] : now.port
