// Covers: contract/document/snippets.ts contract/document/api-document.ts
// The snippets of the API page, run as a reader would run them: against a real server, with the key in a variable.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { type ApiDocument, operationsOf } from '../contract/document/api-document.ts'
import { callOf, type Language, snippetsOf } from '../contract/document/snippets.ts'
import type { OperationName } from '../contract/index.ts'
import { testApp } from './app.ts'
import { onTheWire } from './wire.ts'

const kith = await testApp()
const { origin } = await onTheWire(kith)
const owner = await kith.given.company({ name: 'Acme', adminName: 'Ada' })
const key = await kith.given.key(owner)
const api = kith.withKey(key)
const { records } = await api.createRecords({ object: 'people', records: [{ first_name: 'Grace', city: "L'Aquila" }] })
const folder = mkdtempSync(join(tmpdir(), 'kith-snippets-'))
writeFileSync(join(folder, 'contacts.csv'), 'First name\nAda\n')
afterAll(() => rmSync(folder, { recursive: true }))

const document = (await (await kith.send('/api/v1/openapi.json')).json()) as ApiDocument
const difficult = `O'Brien "the \\ one" $HOME \`date\` %41 ñ 🙂\nsecond line`

/** What differs between two calls that do the same. */
const withoutIds = (answer: string) =>
  JSON.parse(answer, (name, value) =>
    /^(id|change_set_id|created_at|updated_at|current_time)$/.test(name) ? '' : value,
  )

const programs: { [language in Language]?: (code: string) => [program: string, args: string[]] } = {
  curl: (code) => ['sh', ['-c', code]],
  javascript: (code) => [process.execPath, ['--input-type=module', '-e', code]],
  python: (code) => ['python3', ['-c', code]],
}
const isThere = (program: string) => !spawnSync(program, ['--version']).error

async function run(language: Language, code: string): Promise<string> {
  if (language === 'mcp') return viaMcp(code)
  if (language === 'rest') return asSent(code)
  const [program, args] = programs[language]!(code)
  const env = { PATH: process.env.PATH, KITH_API_KEY: key }
  return (await promisify(execFile)(program, args, { cwd: folder, env })).stdout
}

async function viaMcp(body: string) {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const answer = await fetch(`${origin}/api/v1/mcp`, { method: 'POST', headers, body })
  return (await answer.json()).result.content[0].text as string
}

async function asSent(text: string) {
  const [head = '', body] = text.split('\n\n', 2) as [string, string?]
  const [, method = '', path = ''] = /^(\S+) (\S+) HTTP\/1\.1/.exec(head) ?? []
  const headers = head
    .split('\n')
    .slice(2)
    .map((line) => line.split(': ') as [string, string])
  const sent = headers.map(([name, value]) => [name, value === 'YOUR_API_KEY' ? key : value] as [string, string])
  return (await fetch(origin + path, { method, headers: sent, ...(body && { body }) })).text()
}

const calls: [OperationName, Record<string, unknown>, (answer: never) => void][] = [
  ['whoami', {}, ({ company_name }: { company_name: string }) => expect(company_name).toBe('Acme')],
  [
    'listRecords',
    { object: 'people', filter: `city = "L'Aquila"`, fields: ['title', 'city'], limit: 5 },
    ({ records }: { records: object[] }) => expect(records).toMatchObject([{ city: "L'Aquila" }]),
  ],
  [
    'getRecord',
    { object: 'people', id: records[0]!.id },
    ({ title }: { title: string }) => expect(title).toBe('Grace'),
  ],
  [
    'createRecords',
    { object: 'notes', records: [{ body: difficult }], dry_run: true, return: 'record' },
    ({ records }: { records: object[] }) => expect(records).toMatchObject([{ body: difficult }]),
  ],
  [
    'queryRecords',
    { object: 'people', filter: { field: 'city', op: 'eq', value: "L'Aquila" }, limit: 1 },
    ({ records }: { records: object[] }) => expect(records).toHaveLength(1),
  ],
  ['searchRecords', { q: difficult }, ({ items }: { items: object[] }) => expect(items).toBeInstanceOf(Array)],
  ['uploadFile', { purpose: 'import', name: 'contacts.csv' }, ({ size }: { size: number }) => expect(size).toBe(15)],
  ['getHealth', {}, (answer: object) => expect(answer).toBeTruthy()],
]

test.each(calls)('%s gives the same answer in every language', async (name, input, check) => {
  const operation = operationsOf(document).find(({ operationId }) => operationId === name)!
  const snippets = snippetsOf(callOf(operation, input, origin)).filter(({ language, code }) => {
    const isUpload = name === 'uploadFile' && language === 'rest'
    return code && !isUpload && (language !== 'python' || isThere('python3'))
  })
  const answers = await Promise.all(snippets.map(({ language, code }) => run(language, code!)))
  for (const [i, answer] of answers.entries()) {
    const { language, code } = snippets[i]!
    expect(code, 'the key itself is never in it').not.toContain(key)
    check(JSON.parse(answer) as never)
    // Tools leave out what is empty.
    if (language !== 'mcp') expect(withoutIds(answer), language).toEqual(withoutIds(answers[0]!))
  }
  expect(snippets.length).toBeGreaterThanOrEqual(3)
})
