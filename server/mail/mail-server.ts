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
 * operator: the server of the installation, wherever it is. anywhere: that of its only company.
 * public: where several share the installation, a company's server must not be a way into the network that Kith runs in.
 */
export type Reach = 'operator' | 'anywhere' | 'public'
