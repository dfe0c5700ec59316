import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { misfits } from './settings.ts'

const cores = availableParallelism()
const found = (env: Record<string, string>) => misfits(readConfig(env), env).map((one) => `${one.found}. ${one.advice}`)

test('settings that suit each other are not mentioned', () => {
  expect(found({})).toEqual([])
  const usual = { PATH: '/bin', HOSTNAME: 'kith', LOGNAME: 'ada', NODE_OPTIONS: '', XDG_DATA_HOME: '/x', LC_ALL: 'C' }
  const proxied = { BASE_URL: 'https://crm.example.com', TRUST_PROXY: '1', METRICS_PORT: '9464' }
  expect(found({ ...usual, ...proxied, SMTP_URL: 'smtp://localhost', MAIL_FROM: 'kith@example.com' })).toEqual([])
})

test.each([
  [
    { SMPT_URL: 'smtp://localhost' },
    'SMPT_URL is not a setting of Kith. The README lists all settings. Did you mean SMTP_URL?',
  ],
  [{ SMTP_HOST: 'localhost' }, 'SMTP_HOST is not a setting of Kith. The README lists all settings.'],
  [{ S3_REGION: 'eu-central-1' }, 'S3_REGION has no effect without S3_BUCKET. Set S3_BUCKET, or remove S3_REGION.'],
  [
    { TRUST_PROXY: '1' },
    'TRUST_PROXY is set, but BASE_URL is http://localhost:3000. Set BASE_URL to the address that people open, which begins with https://.',
  ],
  [
    { BASE_URL: 'http://crm.example.com' },
    'BASE_URL is http://crm.example.com, so passwords and keys travel unencrypted. Put an HTTPS proxy in front of Kith. docs/deploy.md shows how.',
  ],
  [
    { WEB_CONCURRENCY: '64' },
    `WEB_CONCURRENCY is 64, but this machine has ${cores} cores. Set WEB_CONCURRENCY to ${cores} or less. More processes only take memory and connections.`,
  ],
  [{ METRICS_PORT: '3000' }, 'METRICS_PORT and PORT are both 3000. Choose another METRICS_PORT, for example 9464.'],
  [
    { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' },
    'Metrics are open to everyone who can reach 0.0.0.0:9464. Allow only your monitoring to connect, or remove METRICS_HOST.',
  ],
  [{ OPEN_SIGNUP: '1' }, 'OPEN_SIGNUP is set without SMTP_URL, so email addresses are not confirmed. Set SMTP_URL.'],
])('%o is explained', (env, text) => expect(found(env as never)).toEqual([text]))
