// Checks the settings: each one, whether they suit each other and this machine, and whether names were misspelled.
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { didYouMean, nearestNames } from '../../contract/filter/index.ts'
import { type Config, StartError, settingNames } from '../platform/config.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const check = 'Settings'
type Environment = Record<string, string | undefined>

export function checkConfig(read: () => Config): { config: Config | null; finding: Finding } {
  try {
    const config = read()
    const database = config.databaseUrl ? 'DATABASE_URL' : 'embedded database'
    const inside = config.outboundAllow && `, companies may connect to ${config.outboundAllow}`
    return { config, finding: ok(check, `${config.baseUrl.origin}, ${database}${inside}`) }
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const advice = 'Correct these settings and run the doctor again. The remaining checks were skipped.'
    return { config: null, finding: failed(check, error.message, advice) }
  }
}

/** What Kith starts with, although it is probably not what was meant. */
export function misfits(config: Config, env: Environment): Finding[] {
  return [...unknownNames(env), ...withoutEffect(env), ...unsuitable(config)].map(([found, advice]) =>
    warning(check, found, advice),
  )
}

type Misfit = [found: string, advice: string]

/** Of which we have several, so that a name that begins like these was meant for us. */
const ours = /^(SMTP|S3|METRICS|DATABASE|FILES)_/

function unknownNames(env: Environment): Misfit[] {
  const names = settingNames.map((key) => ({ key, label: key }))
  const known = new Set(settingNames)
  const unknown = Object.keys(env).filter(
    (name) => env[name] && /^[A-Z0-9]+(_[A-Z0-9]+)+$/.test(name) && !known.has(name.replace(/_FILE$/, '')),
  )
  return unknown.flatMap((name): Misfit[] => {
    const nearest = nearestNames(name, names)
    if (!nearest.length && !ours.test(name)) return []
    return [[`${name} is not a setting of Kith`, `The README lists all settings.${didYouMean(nearest)}`]]
  })
}

/** Settings that do nothing without another one. */
const needs: Record<string, string> = {
  MAIL_FROM: 'SMTP_URL',
  METRICS_HOST: 'METRICS_PORT',
  MICROSOFT_TENANT: 'MICROSOFT_CLIENT_ID',
  S3_REGION: 'S3_BUCKET',
}

function withoutEffect(env: Environment): Misfit[] {
  const isSet = (name: string) => Boolean(env[name] || env[`${name}_FILE`])
  return Object.entries(needs)
    .filter(([name, needed]) => isSet(name) && !isSet(needed))
    .map(([name, needed]) => [`${name} has no effect without ${needed}`, `Set ${needed}, or remove ${name}.`])
}

function unsuitable({ baseUrl, trustProxy, processes, metricsHost, metricsPort, port, openSignup, smtpUrl }: Config) {
  const cores = availableParallelism()
  const isPublic = !isLoopback(baseUrl.hostname)
  const found: [boolean, ...Misfit][] = [
    [
      baseUrl.protocol === 'http:' && Boolean(trustProxy),
      `TRUST_PROXY is set, but BASE_URL is ${baseUrl.origin}`,
      'Set BASE_URL to the address that people open, which begins with https://.',
    ],
    [
      baseUrl.protocol === 'http:' && !trustProxy && isPublic,
      `BASE_URL is ${baseUrl.origin}, so passwords and keys travel unencrypted`,
      'Put an HTTPS proxy in front of Kith. docs/deploy.md shows how.',
    ],
    [
      processes > cores,
      `WEB_CONCURRENCY is ${processes}, but this machine has ${cores} cores`,
      `Set WEB_CONCURRENCY to ${cores} or less. More processes only take memory and connections.`,
    ],
    [metricsPort === port, `METRICS_PORT and PORT are both ${port}`, 'Choose another METRICS_PORT, for example 9464.'],
    [
      metricsPort !== undefined && !isLoopback(metricsHost),
      `Metrics are open to everyone who can reach ${metricsHost}:${metricsPort}`,
      'Allow only your monitoring to connect, or remove METRICS_HOST.',
    ],
    [
      openSignup && !smtpUrl,
      'OPEN_SIGNUP is set without SMTP_URL, so email addresses are not confirmed',
      'Set SMTP_URL.',
    ],
  ]
  return found.flatMap(([applies, what, advice]): Misfit[] => (applies ? [[what, advice]] : []))
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
