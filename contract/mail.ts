import * as z from 'zod'
import { operation } from './operation.ts'
import { email, nameOf, nothing } from './shared/shapes.ts'

export const mailSecurities = ['tls', 'starttls', 'none'] as const

const settings = {
  host: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'Enter a mail server such as smtp.example.com')
    .max(253)
    .regex(/^[a-z0-9.:-]+$/, 'Use a server name such as smtp.example.com, without smtp://'),
  port: z.int().min(1).max(65_535),
  security: z.enum(mailSecurities).describe('tls (implicit TLS, port 465), starttls (port 587) or none'),
  username: z.string().trim().max(254).nullable(),
  from_name: nameOf('Enter a sender name'),
  from_email: email,
}

/** `source`: set by the company, set by SMTP_URL, or not set up. */
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

// Reset links are sent through this server, so someone who controls it can sign in as anyone. Admins only, never by key.
export const mail = {
  getMailSettings: operation({
    summary: 'Get the mail settings, without the password',
    http: 'GET /settings/mail',
    access: 'admin',
    webOnly: true,
    effect: 'read',
    input: nothing,
    output: MailSettings,
  }),
  getMailStatus: operation({
    summary: 'Check whether email is set up',
    http: 'GET /settings/mail/status',
    access: 'members.manage',
    webOnly: true,
    effect: 'read',
    input: nothing,
    output: z.strictObject({ is_set_up: z.boolean() }),
  }),
  updateMailSettings: operation({
    summary: 'Save the mail settings',
    http: 'PUT /settings/mail',
    replaces: [{ name: 'setMailSettings' }],
    access: 'admin',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({
      ...settings,
      password: z
        .string()
        .max(500)
        .nullable()
        .optional()
        .describe('Omit to keep the current password; null: no password'),
    }),
    output: MailSettings,
  }),
  deleteMailSettings: operation({
    summary: "Remove the company's mail settings",
    http: 'DELETE /settings/mail',
    replaces: [{ name: 'removeMailSettings' }],
    access: 'admin',
    webOnly: true,
    effect: 'change',
    input: nothing,
    output: MailSettings,
  }),
  testMailSettings: operation({
    summary: 'Send yourself a test email with the saved settings',
    http: 'POST /settings/mail/test',
    replaces: [{ name: 'sendTestMail' }],
    access: 'admin',
    webOnly: true,
    effect: 'change',
    openWorld: true,
    input: nothing,
    output: z.strictObject({ sent_to: z.string() }),
  }),
}
