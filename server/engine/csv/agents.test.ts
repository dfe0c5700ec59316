// What an agent does by MCP alone.
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { finished } from '../../../test/csv.ts'
import { mcpFor } from '../../../test/mcp.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { legacy } = await mcpFor(kith)
const admin = await kith.given.company()
const key = await kith.given.key(admin)

async function call(name: string, args: object, as = key) {
  const { rpc } = await legacy(as, 'tools/call', { name, arguments: args })
  const { structuredContent, isError } = rpc.result as { structuredContent: Record<string, never>; isError?: boolean }
  return { answer: structuredContent as Record<string, unknown>, isError: isError ?? false }
}

test('an agent imports CSV text, follows the job, and exports the records', async () => {
  const csv = 'First name,E-mail,Company\nAda,ada@example.com,Acme\nBob,bob@,Acme\n'
  const dry = await call('import_records', { object: 'people', csv, if_missing: 'create', dry_run: true })
  expect(dry).toMatchObject({ isError: false, answer: { dry_run: true, mapping: { Company: 'organization' } } })
  const started = await call('import_records', { object: 'people', csv, if_missing: 'create' })
  const job_id = started.answer.job_id as string
  await finished(kith.withKey(key), job_id)
  const { answer: job } = await call('get_job', { id: job_id })
  expect(job).toMatchObject({
    state: 'done',
    result: { created: 1, related_created: { organizations: 1 } },
    problem_groups: [{ count: 1, first: [{ line: 3, value: 'bob@' }] }],
  })
  const exporting = await call('export_records', { object: 'people', filter: 'first_name = Ada' })
  await finished(kith.withKey(key), exporting.answer.job_id as string)
  const { answer: done } = await call('get_job', { id: exporting.answer.job_id })
  expect(done).toMatchObject({ state: 'done', result: { rows: 1, file_id: expect.any(String) } })
})

test('an agent is told what to correct', async () => {
  const unknown = await call('import_records', { object: 'people', csv: 'Shoe size\n40\n' })
  expect(JSON.stringify(unknown.answer)).toContain('Map them')
  expect(unknown.isError).toBe(true)
})

test('tools appear only for keys that may use them', async () => {
  const bare = await kith.given.key(await kith.given.user(admin, { grants: [] }))
  const names = async (as: string) =>
    ((await legacy(as, 'tools/list')).rpc.result!.tools as { name: string }[]).map(({ name }) => name)
  expect(await names(key)).toEqual(expect.arrayContaining(['export_records', 'import_records']))
  expect(await names(bare)).not.toContain('export_records')
})
