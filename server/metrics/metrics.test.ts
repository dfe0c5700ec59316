// Metrics, as Prometheus reads them from a running installation.
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { install } from '../../test/installation.ts'
import { isLong } from '../../test/long.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { endLaunched, freePort } from '../../test/process.ts'

waitForProcesses()
afterAll(endLaunched)

type Sample = { name: string; labels: Record<string, string>; value: number }

async function read(port: number, path = '/metrics') {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`)
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

function samplesIn(text: string): Sample[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!])),
    value: Number(value),
  }))
}

test.each(isLong ? [1, 2] : [2])(
  'requests, connections, queues and mailboxes of %i processes are measured',
  async (processes) => {
    const port = await freePort()
    const kith = await install({ METRICS_PORT: String(port), WEB_CONCURRENCY: String(processes) })
    const user = await kith.given.company()
    const api = kith.withKey(await kith.given.key(user))
    const calls = 12
    for (let i = 0; i < calls; i++) await api.listRoles({})
    await expect(api.getRecord({ object: 'people', id: user.user_id })).rejects.toThrow()

    const { status, type, text } = await read(port)
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    const samples = samplesIn(text)
    const measured = (name: string, labels: Record<string, string> = {}) => {
      const found = samples.filter((one) => one.name === name)
      return found.find((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))?.value
    }
    const listing = { door: 'rest', operation: 'listRoles' }
    expect(measured('kith_requests_total', { ...listing, status: '200' })).toBe(calls)
    expect(measured('kith_request_duration_seconds_count', listing)).toBe(calls)
    expect(measured('kith_requests_total', { operation: 'getRecord', status: '404' })).toBe(1)
    expect(measured('kith_connections', { pool: 'work', state: 'waiting' })).toBe(0)
    expect(measured('kith_events_waiting')).toBeGreaterThanOrEqual(0)
    expect(measured('kith_tasks_failed', { task: 'sweep_files' }) ?? 0).toBe(0)
    expect(measured('kith_mailbox_lag_seconds')).toBe(0)
    expect(measured('kith_info')).toBe(1)
    expect(measured('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    expect(text).not.toContain(user.company_id)
    expect(text).not.toContain(user.user_id)
    expect((await read(port, '/')).status).toBe(404)

    // What the documentation, the alerts and the dashboard speak of is there.
    const there = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!))
    for (const file of ['docs/metrics.md', 'docs/metrics/alerts.yml', 'docs/metrics/dashboard.json'])
      for (const [, name] of readFileSync(file, 'utf8').matchAll(/\b((?:kith|nodejs|process)_[a-z_]+[a-z])\b/g))
        expect(there, `${name} in ${file}`).toContain(name!.replace(/_(bucket|count|sum)$/, ''))
    const documented = readFileSync('docs/metrics.md', 'utf8')
    for (const name of there) if (name.startsWith('kith_')) expect(documented).toContain(`\`${name}\``)
  },
)
