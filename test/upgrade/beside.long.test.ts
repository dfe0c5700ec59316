// Covers: db/migrations server/platform/migrate.ts server/accounts/credentials test/upgrade
// The last release and this version serve one database at the same time, as during an update: no request fails.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { compareLedger, keepCreating } from '../ledger.ts'
import { waitForProcesses } from '../patience.ts'
import { freePort, launch, until } from '../process.ts'
import { startNginx } from '../servers.ts'
import { loadRelease, releases } from './released.ts'

waitForProcesses()

const version = releases.at(-1)!
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1e9 }).trim()
/** The commit that recorded the release. A clone without history does not have it. */
const commit = git('log', '-1', '--format=%H', '--diff-filter=A', '--', `test/released/${version}/rows.sql`)

/** The release with its packages, in a folder of its own. */
function checkOut() {
  const folder = mkdtempSync(join(tmpdir(), 'kith-released-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C ${folder}`])
  const [theirs, ours] = [folder, '.'].map((at) => readFileSync(join(at, 'package-lock.json'), 'utf8'))
  if (theirs === ours) symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' })
  return folder
}

test.skipIf(!commit)(`${version} and this version work side by side while people and programs go on`, async () => {
  const old = await loadRelease(version)
  const ports = [await freePort(), await freePort()] as const
  const nginx = await startNginx([...ports])
  const settings = { NODE_OPTIONS: '', LOG: 'off' }
  const released = await until(
    launch('main', old.settings({ ...settings, PORT: String(ports[0]) }), [], checkOut()),
    'Kith is ready',
  )
  const at = (port: number) => `http://127.0.0.1:${port}`
  const headers = { host: 'localhost', 'content-type': 'application/json' }
  const signIn = async (port: number) => {
    const body = JSON.stringify({ email: old.access.neighbor.email, password: old.access.password })
    const answer = await fetch(`${at(port)}/app/api/session`, { method: 'POST', headers, body })
    expect(answer.status).toBe(201)
    return answer.headers.getSetCookie()[0]!.split(';')[0]!
  }
  const isSignedIn = async (port: number, cookie: string) => {
    const answer = await fetch(`${at(port)}/app/api/session`, { headers: { ...headers, cookie } })
    return ((await answer.json()) as { state: string }).state === 'signed_in'
  }
  const company_id = (await old.ownerPool.query('select company_id from users where email = $1', [old.access.email]))
    .rows[0].company_id as string
  const writing = keepCreating(nginx.url, old.access.key, { repeats: false })
  const earlier = await signIn(ports[0])
  await sleep(2000)
  const current = await until(launch('main', old.settings({ ...settings, PORT: String(ports[1]) })), 'Kith is ready')
  expect(current.output()).toContain('Migrated the database')
  // Whoever signed in to one of them, at any time, is signed in to both.
  const [toOld, toNew] = [await signIn(ports[0]), await signIn(ports[1])]
  for (const cookie of [earlier, toOld, toNew])
    for (const port of ports) expect(await isSignedIn(port, cookie)).toBe(true)
  await sleep(5000)
  released.child.kill('SIGTERM')
  expect(await released.ended).toBe(0)
  await sleep(2000)
  await writing.stop()
  expect(writing.failures).toEqual([])
  await compareLedger(old.ownerDb, company_id, writing)
  current.child.kill('SIGTERM')
  expect(await current.ended).toBe(0)
  await nginx.remove()
})
