import * as z from 'zod'
import { operation } from './operation.ts'
import { email, nameOf, nothing } from './shapes.ts'

export const mailSecurities = ['tls', 'starttls', 'none'] as const

const settings = {
  host: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'Enter the name of the mail server, such as smtp.example.com')
    .max(253)
    .regex(/^[a-z0-9.:-]+$/, 'Use a server name such as smtp.example.com, without smtp://'),
  port: z.int().min(1).max(65_535),
  security: z.enum(mailSecurities).describe('tls from the first byte (465), starttls (587), or none'),
  username: z.string().trim().max(254).nullable(),
  from_name: nameOf('Enter the name that mail comes from'),
  from_email: email,
}

/** Where mail comes from: what the company set, what SMTP_URL says, or nowhere. */
export const MailSettings = z
  .strictObject({
    source: z.enum(['company', 'environment', 'none']),
    host: z.string().nullable(),
    port: z.int().nullable(),
    security: z.enum(mailSecurities).nullable(),
    username: z.string().nullable(),
    has_password: z.boolean(),
    from_name: z.string().nullable(),
    from_email: z.string().nullable(),
  })
  .meta({ id: 'MailSettings' })

// Reset links go through this server, so anyone who sets it could sign in as anyone else: Admins only, and never by key.
export const mail = {
  getMailSettings: operation({
    summary: 'Read how mail is sent; never the password',
    http: 'GET /company/mail',
    access: 'admin',
    webOnly: true,
    effect: 'read',
    input: nothing,
    output: MailSettings,
  }),
  setMailSettings: operation({
    summary: 'Set how mail is sent',
    http: 'PUT /company/mail',
    access: 'admin',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({
      ...settings,
      password: z.string().max(500).nullable().optional().describe('Left out: stays as it is. null: none'),
    }),
    output: MailSettings,
  }),
  removeMailSettings: operation({
    summary: "Forget the company's own mail server",
    http: 'DELETE /company/mail',
    access: 'admin',
    webOnly: true,
    effect: 'change',
    input: nothing,
    output: MailSettings,
  }),
  sendTestMail: operation({
    summary: 'Send a test mail to yourself with the saved settings',
    http: 'POST /company/mail/test',
    access: 'admin',
    webOnly: true,
    effect: 'change',
    openWorld: true,
    input: nothing,
    output: z.strictObject({ sent_to: z.string() }),
  }),
}
