import type { mailSecurities } from '../../contract/mail.ts'

export type MailServer = {
  host: string
  port: number
  security: (typeof mailSecurities)[number]
  username: string | null
  password: string | null
  from: { name: string; address: string }
}

/**
 * operator: the installation's mail server, at any address. anywhere: the mail server of its only company.
 * public: several companies share the installation, so their servers must not give access to Kith's internal network.
 */
export type Reach = 'operator' | 'anywhere' | 'public'
