// Covers: server/accounts/api-keys server/transports web/keys
// The life of a key across two server processes on one database: made by clicking in one, used by a real client in the other.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { browserOfWorker } from '../browser.ts'
import { desktop } from '../chromium.ts'
import { testDatabase } from '../database.ts'
import { waitForProcesses } from '../patience.ts'
import { databaseUrlOf, freePort, launch, until } from '../process.ts'

waitForProcesses()

const admin = { email: 'ada@example.com', password: 'correct horse battery' }
const dataDir = mkdtempSync(join(tmpdir(), 'kith-two-'))
const { connection } = await testDatabase({ from: 'template0' })
const ports = [await freePort(), await freePort()] as const
const env = {
  DATABASE_URL: databaseUrlOf(connection),
  DATA_DIR: dataDir,
  LOG: 'off',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
}
const servers = await Promise.all(
  ports.map((port) => until(launch('main', { ...env, PORT: String(port) }), 'Kith is ready')),
)
const browser = await browserOfWorker()
const context = await browser.newContext({ baseURL: `http://localhost:${ports[0]}`, viewport: desktop })
afterAll(async () => {
  await context.close()
  for (const { child } of servers) child.kill('SIGTERM')
  await Promise.all(servers.map(({ ended }) => ended))
  rmSync(dataDir, { recursive: true, force: true })
})

test('a key works immediately in every process, follows the rights of its owner, and stops when deleted', async () => {
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'API & Connectors' }).click()
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('Name').fill('Laptop')
  await page.getByRole('button', { name: 'Create key' }).click()
  const value = (await page.getByRole('region', { name: 'Your new key' }).locator('code').textContent())!

  const url = new URL(`http://localhost:${ports[1]}/api/v1/mcp`)
  const client = new Client({ name: 'second-process', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-api-key': value } } }))
  const tools = async () => (await client.listTools()).tools.map((tool) => tool.name)
  expect(await tools()).toContain('list_audit_events')

  // Through the page's own session: another Admin first, then the owner becomes a Member.
  const asPage = (method: string, path: string, body: object) =>
    page.evaluate(
      async ([method, path, body]) => {
        const answer = await fetch(`/app/api${path}`, { method, body, headers: { 'content-type': 'application/json' } })
        return { status: answer.status, body: await answer.json() }
      },
      [method, path, JSON.stringify(body)] as const,
    )
  const invited = await asPage('POST', '/invitations', { email: 'second@example.com', role: 'Admin' })
  const token = new URL(invited.body.link).hash.slice('#token='.length)
  const joined = await fetch(`http://localhost:${ports[0]}/public/account-links/invitation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, name: 'Second', password: 'another long sentence' }),
  })
  expect(joined.status).toBe(200)
  const me = await (await fetch(`http://localhost:${ports[1]}/api/v1/me`, { headers: { 'x-api-key': value } })).json()
  expect((await asPage('PUT', `/users/${me.id}/role`, { role: 'Member' })).status).toBe(200)
  expect(await tools()).not.toContain('list_audit_events')
  await expect(client.callTool({ name: 'list_audit_events', arguments: {} })).rejects.toThrow(/Unknown tool/)

  await page.getByRole('button', { name: 'Copy key' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('checkbox', { name: 'Laptop', exact: true }).check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('checkbox', { name: 'Laptop', exact: true }).waitFor({ state: 'detached' })
  await expect(client.listTools()).rejects.toThrow(/401|authoriz/i)
})
