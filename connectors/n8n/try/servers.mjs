// Starts Kith and n8n as processes of their own, and talks to both.
import { spawn } from 'node:child_process'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const folder = process.env.TRY_DIR
const root = join(import.meta.dirname, '..', '..', '..')
const kithUrl = `http://127.0.0.1:${process.env.KITH_PORT ?? 3340}`
const n8nUrl = `http://127.0.0.1:${process.env.N8N_PORT ?? 3341}`
const login = { email: 'ada@example.com', password: 'Correct horse 1' }
const children = []

export async function startKith() {
  const env = {
    PORT: new URL(kithUrl).port,
    BASE_URL: kithUrl,
    DATA_DIR: join(folder, 'kith'),
    DEMO: '1',
    ADMIN_EMAIL: login.email,
    ADMIN_PASSWORD: login.password,
    // n8n is on this machine, where webhooks are not delivered otherwise.
    OUTBOUND_ALLOW: '127.0.0.1',
  }
  start('kith', [join(root, 'scripts', 'bootstrap.mjs'), 'start'], env)
  await answers(`${kithUrl}/readyz`)
  const web = await eventually(signedIn, 'to be let in by Kith')
  const key = (await web('POST', '/api-keys', { name: 'n8n' })).value
  const call = jsonCaller(`${kithUrl}/api/v1`, { 'x-api-key': key })
  await eventually(async () => (await call('POST', '/records/deals/count', {})).count > 0, 'sample data in Kith')
  return { url: kithUrl, key, call, web }
}

/** Keys and channels are created by people, in the web app. Undefined while Kith does not let us in yet. */
async function signedIn() {
  const headers = { 'content-type': 'application/json', origin: kithUrl }
  const address = `${kithUrl}/app/api`
  const answer = await fetch(`${address}/session`, { method: 'POST', headers, body: JSON.stringify(login) })
  return answer.ok ? jsonCaller(address, { ...headers, cookie: cookiesOf(answer) }) : undefined
}

export async function startN8n() {
  const env = {
    NODE_OPTIONS: `--require ${join(import.meta.dirname, 'offline.cjs')}`,
    N8N_USER_FOLDER: join(folder, 'n8n'),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PORT: new URL(n8nUrl).port,
    N8N_RUNNERS_BROKER_PORT: String(Number(new URL(n8nUrl).port) + 1),
    N8N_EDITOR_BASE_URL: n8nUrl,
    WEBHOOK_URL: n8nUrl,
    N8N_SECURE_COOKIE: 'false',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_DYNAMIC_BANNERS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
  }
  start('n8n', [join(folder, 'app', 'node_modules', 'n8n', 'bin', 'n8n'), 'start'], env)
  await answers(`${n8nUrl}/healthz/readiness`)
  const browser = { 'content-type': 'application/json', 'browser-id': 'try' }
  const owner = { ...login, firstName: 'Ada', lastName: 'Admin' }
  const body = JSON.stringify(owner)
  const signedIn = await fetch(`${n8nUrl}/rest/owner/setup`, { method: 'POST', headers: browser, body })
  if (!signedIn.ok) throw new Error(`n8n refused its first user: ${await signedIn.text()}`)
  const headers = { ...browser, cookie: cookiesOf(signedIn) }
  const call = jsonCaller(`${n8nUrl}/rest`, headers)
  const rest = async (...args) => (await call(...args)).data
  const { rawApiKey } = await rest('POST', '/api-keys', {
    label: 'try',
    expiresAt: null,
    scopes: ['execution:read', 'execution:list'],
  })
  return { url: n8nUrl, login, headers, rest, api: jsonCaller(`${n8nUrl}/api/v1`, { 'x-n8n-api-key': rawApiKey }) }
}

/** Hosts outside of this machine; see offline.cjs. */
export function refusedHosts() {
  const log = readFileSync(join(folder, 'n8n.log'), 'utf8')
  return [...new Set(log.matchAll(/^offline: refused a connection to (.*)$/gm).map(([, host]) => host))]
}

export async function stopAll() {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(children.map((child) => child.exitCode ?? new Promise((resolve) => child.on('exit', resolve))))
}

function start(name, args, env) {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } })
  const log = createWriteStream(join(folder, `${name}.log`))
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  children.push(child)
}

async function answers(url) {
  for (const end = Date.now() + 900_000; Date.now() < end; await sleep(250))
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      return
  throw new Error(`${url} does not answer. See the logs in ${folder}`)
}

const cookiesOf = (response) =>
  response.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')

/** Returns what is there as soon as it is. */
export async function eventually(look, what) {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200)) {
    const seen = await look()
    if (seen) return seen
  }
  throw new Error(`Waited a minute in vain: ${what}`)
}

const jsonCaller = (base, headers) => async (method, path, body) => {
  const response = await fetch(base + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 1000)}`)
  return text ? JSON.parse(text) : undefined
}
