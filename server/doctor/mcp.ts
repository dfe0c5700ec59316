// Lists the MCP tools as an agent does, with a key that is deleted right after the check.
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import pino from 'pino'
import { insertKey, type Owner } from '../accounts/api-keys/queries.ts'
import { type AppParts, createApp } from '../app.ts'
import { byProgram } from '../kernel/command-context.ts'
import type { Db } from '../platform/db.ts'
import { createOffload } from '../platform/offload.ts'
import { createPools } from '../platform/pools.ts'
import { mcpPath } from '../transports/mcp/mount.ts'
import { type Finding, failed, ok, warning } from './finding.ts'
import { ask } from './http.ts'
import { webFolder } from './machine.ts'

const check = 'Agents (MCP)'
const program = 'npm run doctor'
const eras = { legacy: '2025-11-25', modern: '2026-07-28' } as const

/** Sends an API key to `origin`, which must therefore be this Kith. */
export async function checkMcp(db: Db, origin: string): Promise<Finding> {
  const admin = await findAdmin(db)
  if (!admin) {
    return warning(
      check,
      'Kith is not set up yet: there is no Admin',
      'Open Kith in a browser and create your company.',
    )
  }
  const key = await addKey(db, admin)
  try {
    const counts = await Promise.all(Object.values(eras).map((version) => countTools(origin, key.value, version)))
    const found = `${counts[0]} tools in both protocol versions (${Object.values(eras).join(', ')})`
    if (counts[0] && counts[0] === counts[1]) return ok(check, found)
    return failed(check, `The two protocol versions list ${counts.join(' and ')} tools`, 'See the log of Kith.')
  } finally {
    await deleteKey(db, admin, key.id)
  }
}

async function countTools(origin: string, key: string, version: string) {
  const isModern = version === eras.modern
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'kith-doctor', version: '1' },
  }
  const method = 'tools/list'
  const answer = await ask(origin + mcpPath, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'user-agent': 'kith-doctor',
      'mcp-protocol-version': version,
      ...(isModern && { 'mcp-method': method }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: isModern ? { _meta: meta } : {} }),
  })
  if (answer.status !== 200) throw new Error(`tools/list of ${version} returned ${answer.status}`)
  const { result } = JSON.parse(answer.text) as { result?: { tools?: unknown[] } }
  if (!result?.tools) throw new Error(`tools/list of ${version} returned no tools`)
  return result.tools.length
}

async function findAdmin(db: Db): Promise<Owner | undefined> {
  const { rows } = await sql<Owner>`
    select u.company_id, u.id as user_id from users u
    join roles r on r.company_id = u.company_id and r.id = u.role_id
    where r.is_admin and u.kind = 'person' and u.deactivated_at is null and u.removed_at is null
    order by u.password_hash is null, u.created_at limit 1`.execute(db)
  return rows[0]
}

// Recorded in the audit log. The owner is not notified, because the key is deleted before they could read it.
const addKey = (db: Db, admin: Owner) =>
  byProgram(db, program, async (context) => {
    const key = await insertKey(context.db, admin, program, { at: context.now })
    const data = { name: program, prefix: key.value.slice(0, 4), owner_id: admin.user_id }
    context.note('api_key.created', { company_id: admin.company_id, target_id: key.id, data })
    return key
  })

const deleteKey = (db: Db, { company_id, user_id: owner_id }: Owner, id: string) =>
  byProgram(db, program, async (context) => {
    const keys = context.db
      .updateTable('api_keys')
      .set({ deleted_at: context.now })
      .where('company_id', '=', company_id)
    await keys.where('id', '=', id).execute()
    context.note('api_key.deleted', { company_id, target_id: id, data: { owner_id } })
  })

type OwnAppParts = Pick<AppParts, 'config' | 'connection'> & { services: Omit<AppParts['services'], 'offload'> }

/** Runs Kith without its worker on a free local port while `work` runs. */
export async function onOwnApp<T>(parts: OwnAppParts, work: (origin: string) => Promise<T>): Promise<T> {
  const log = pino({ level: 'silent' })
  const pools = createPools(parts)
  const offload = createOffload({ log })
  const services = { ...parts.services, offload }
  const clock = () => new Date()
  const { http } = await createApp({ ...parts, services, pools, log, clock, webFolder, committed: () => {} })
  try {
    await http.listen({ port: 0, host: '127.0.0.1' })
    return await work(`http://127.0.0.1:${(http.server.address() as AddressInfo).port}`)
  } finally {
    await http.close()
    await offload.stop()
    await pools.end()
  }
}
