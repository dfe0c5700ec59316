import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { country } from '../../contract/company.ts'
import { currency, language, timeZone } from '../../contract/shared/shapes.ts'
import { entriesIn } from './outbound.ts'

const flag = z
  .enum(['', '0', '1'])
  .default('')
  .transform((value) => value === '1')

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'Must start with postgres://')

const s3Names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

const Environment = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65535).default(3000),
    HOST: z.string().default('127.0.0.1'),
    BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    TRUST_PROXY: z.string().default('').transform(readProxies),
    DATABASE_URL: postgresUrl.optional(),
    DATABASE_OWNER_URL: postgresUrl.optional(),
    DATABASE_POOL_URL: postgresUrl.optional(),
    DATABASE_READ_URL: postgresUrl.optional(),
    DATA_DIR: z.string().default('./data'),
    ADMIN_EMAIL: z.email().optional(),
    ADMIN_PASSWORD: z.string().min(8).max(128).optional(),
    COMPANY_COUNTRY: country.optional(),
    COMPANY_CURRENCY: currency.optional(),
    COMPANY_LANGUAGE: language.optional(),
    COMPANY_TIME_ZONE: timeZone.optional(),
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\//, 'Must start with smtp:// or smtps://')
      .optional(),
    MAIL_FROM: z.string().max(300).optional(),
    GOOGLE_CLIENT_ID: z.string().max(300).optional(),
    GOOGLE_CLIENT_SECRET: z.string().max(300).optional(),
    MICROSOFT_CLIENT_ID: z.string().max(300).optional(),
    MICROSOFT_CLIENT_SECRET: z.string().max(300).optional(),
    MICROSOFT_TENANT: z
      .string()
      .regex(/^[a-zA-Z0-9.-]+$/, 'Use the ID or domain of your tenant, or common')
      .default('common'),
    SECRET_KEY: z.string().min(32, 'Use at least 32 random characters').optional(),
    FORGET_SECRETS: flag,
    BACKUP_PASSPHRASE: z.string().min(12, 'Use at least 12 characters').optional(),
    OPEN_SIGNUP: flag,
    OUTBOUND_ALLOW: z
      .string()
      .default('')
      .refine(isOutboundList, 'Use names, addresses or ranges, such as mail.internal,10.0.0.0/8'),
    FILES_STORE: z.enum(['disk', 's3']).optional(),
    S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    S3_BUCKET: z.string().max(100).optional(),
    S3_REGION: z.string().max(100).default('us-east-1'),
    S3_ACCESS_KEY_ID: z.string().max(300).optional(),
    S3_SECRET_ACCESS_KEY: z.string().max(300).optional(),
    FILES_QUOTA_MB: z.coerce.number().int().min(1).max(1e9).default(5000),
    DEMO: flag,
    LOG: z.enum(['file', 'stdout', 'off']).default('file'),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
    METRICS_HOST: z.string().default('127.0.0.1'),
    METRICS_PORT: z.coerce.number().int().min(1).max(65535).optional(),
    WORKER: z.enum(['0', '1']).default('1'),
    WEB_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(1),
  })
  .refine((env) => !env.ADMIN_EMAIL === !env.ADMIN_PASSWORD, {
    message: 'Set ADMIN_EMAIL and ADMIN_PASSWORD together, or neither',
    path: ['ADMIN_EMAIL'],
  })
  .refine((env) => !env.DATABASE_OWNER_URL || env.DATABASE_URL, {
    message: 'Also set DATABASE_URL, to the role that Kith runs as',
    path: ['DATABASE_OWNER_URL'],
  })
  .refine((env) => !env.DATABASE_POOL_URL || env.DATABASE_URL, {
    message: 'Also set DATABASE_URL, to the same database without the pooler',
    path: ['DATABASE_POOL_URL'],
  })
  .refine((env) => !env.DATABASE_READ_URL || env.DATABASE_URL, {
    message: 'Also set DATABASE_URL, to the primary of this replica',
    path: ['DATABASE_READ_URL'],
  })
  .refine((env) => new Set(s3Names.map((name) => !env[name])).size === 1, {
    message: 'Set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together, or none of them',
    path: ['S3_BUCKET'],
  })
  .refine((env) => env.FILES_STORE !== 's3' || env.S3_BUCKET, {
    message: 'Also set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    path: ['FILES_STORE'],
  })
  .refine((env) => !env.GOOGLE_CLIENT_ID === !env.GOOGLE_CLIENT_SECRET, {
    message: 'Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET together, or neither',
    path: ['GOOGLE_CLIENT_ID'],
  })
  .refine((env) => !env.MICROSOFT_CLIENT_ID === !env.MICROSOFT_CLIENT_SECRET, {
    message: 'Set MICROSOFT_CLIENT_ID and MICROSOFT_CLIENT_SECRET together, or neither',
    path: ['MICROSOFT_CLIENT_ID'],
  })

/** Settings that can also be in a file, whose path is in a variable that ends with _FILE. */
const secretSettings = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_POOL_URL',
  'DATABASE_READ_URL',
  'ADMIN_PASSWORD',
  'SMTP_URL',
  'GOOGLE_CLIENT_SECRET',
  'MICROSOFT_CLIENT_SECRET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SECRET_KEY',
  'BACKUP_PASSPHRASE',
] as const satisfies (keyof typeof Environment.shape)[]

/** The contents of those files. */
function readSecretFiles(env: Record<string, string>) {
  const read: Record<string, string> = {}
  const errors: string[] = []
  for (const name of secretSettings) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) errors.push(`${name}_FILE: Set ${name} or ${name}_FILE, not both`)
    try {
      read[name] = readFileSync(file, 'utf8').trim()
      if (!read[name]) errors.push(`${name}_FILE: ${file} is empty`)
    } catch (error) {
      errors.push(`${name}_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return { read, errors }
}

/** Every environment variable that Kith reads. */
export const settingNames = Object.keys(Environment.shape)

/** `1`: every direct peer is a proxy. Otherwise the addresses and ranges of the proxies. */
function readProxies(text: string, context: z.RefinementCtx<string>): boolean | string[] {
  if (['', '0', '1'].includes(text)) return text === '1'
  const list = text.split(/[\s,]+/).filter(Boolean)
  if (list.every((address) => ipaddr.isValidCIDR(address) || ipaddr.isValid(address))) return list
  context.addIssue('Use 1, or the addresses of your proxies, such as 10.0.0.0/8,127.0.0.1')
  return z.NEVER
}

function isOutboundList(text: string) {
  try {
    return entriesIn(text).length >= 0
  } catch {
    // Reported as a faulty setting.
    return false
  }
}

export type Config = ReturnType<typeof readConfig>

/** The only place that reads the environment. Everything else gets its values from here. */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const files = readSecretFiles(given)
  const parsed = Environment.safeParse({ ...given, ...files.read })
  const issues = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
  const errors = [...files.errors, ...issues].map((error) => `  ${error}`)
  if (!parsed.success || errors.length)
    throw new StartError(`Some environment variables are invalid:\n${errors.join('\n')}`)
  const values = parsed.data
  return {
    port: values.PORT,
    host: values.HOST,
    baseUrl: new URL(values.BASE_URL ?? `http://localhost:${values.PORT}`),
    trustProxy: values.TRUST_PROXY,
    databaseUrl: values.DATABASE_URL,
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    databasePoolUrl: values.DATABASE_POOL_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    dataDir: resolve(values.DATA_DIR),
    admin: values.ADMIN_EMAIL
      ? {
          email: values.ADMIN_EMAIL.toLowerCase(),
          password: values.ADMIN_PASSWORD!,
          region: {
            country: values.COMPANY_COUNTRY,
            currency: values.COMPANY_CURRENCY,
            language: values.COMPANY_LANGUAGE,
            time_zone: values.COMPANY_TIME_ZONE,
          },
        }
      : undefined,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    google: values.GOOGLE_CLIENT_ID
      ? { clientId: values.GOOGLE_CLIENT_ID, clientSecret: values.GOOGLE_CLIENT_SECRET! }
      : undefined,
    microsoft: values.MICROSOFT_CLIENT_ID
      ? {
          clientId: values.MICROSOFT_CLIENT_ID,
          clientSecret: values.MICROSOFT_CLIENT_SECRET!,
          tenant: values.MICROSOFT_TENANT,
        }
      : undefined,
    secretKey: values.SECRET_KEY,
    forgetSecrets: values.FORGET_SECRETS,
    backupPassphrase: values.BACKUP_PASSPHRASE,
    openSignup: values.OPEN_SIGNUP,
    outboundAllow: values.OUTBOUND_ALLOW,
    filesQuotaMb: values.FILES_QUOTA_MB,
    filesStore: values.FILES_STORE,
    s3: values.S3_BUCKET
      ? {
          endpoint: new URL(values.S3_ENDPOINT!),
          bucket: values.S3_BUCKET,
          region: values.S3_REGION,
          accessKeyId: values.S3_ACCESS_KEY_ID!,
          secretAccessKey: values.S3_SECRET_ACCESS_KEY!,
        }
      : undefined,
    metricsHost: values.METRICS_HOST,
    metricsPort: values.METRICS_PORT,
    demo: values.DEMO,
    log: values.LOG,
    logLevel: values.LOG_LEVEL,
    worker: values.WORKER === '1',
    processes: values.WEB_CONCURRENCY,
  }
}

/** An error that the operator can fix. Its message is shown without a stack trace. */
export class StartError extends Error {
  override name = 'StartError'
}
