// A company moves to another installation with everything but its secrets.
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { ask, backupHome, run } from '../../test/backup.ts'
import { filledCompany, secret } from '../../test/filled-company.ts'
import { givenPassword } from '../../test/given.ts'
import { isLong } from '../../test/long.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { databaseUrlOf, launch, until } from '../../test/process.ts'
import { sealAuditLog } from '../audit/seal.ts'
import { verifyAuditLog } from '../audit/verify.ts'
import { backUp } from '../backup/backup.ts'
import { headerFrame, packing, rowsFrame, tableFrame, trailerFrame } from '../backup/format.ts'
import { openBackup } from '../backup/open-backup.ts'
import { companyColumn, distributed, known, local } from '../distribution/tables.ts'
import type { Finding } from '../doctor/finding.ts'
import { sha256 } from '../platform/secrets.ts'
import { harmless, moving, replaced, staying } from './contents.ts'

waitForProcesses()

const { home, newFile, store, restoreInto } = backupHome()
/** An installation: an app in this process, and a folder for the programs on its database. */
async function installation() {
  const dataDir = mkdtempSync(join(home, 'data-'))
  const kith = await testApp({ own: true, filesFolder: join(dataDir, 'files') })
  const env = { DATABASE_URL: databaseUrlOf(kith.owner), DATA_DIR: dataDir, LOG: 'off' }
  const company = async (...args: string[]) => {
    const started = run('company', env, ...args)
    return { code: await started.ended, output: started.output() }
  }
  return { ...kith, dataDir, env, company }
}

const source = await installation()
let moved: Awaited<ReturnType<typeof filledCompany>>
let file: string
let exported: string

beforeAll(async () => {
  moved = await filledCompany(source, { name: 'Ærø & Söhne' })
  await filledCompany(source, { name: 'Stays' })
  await sealAuditLog(source.ownerDb, moved.company_id, source.time.now)
  file = newFile()
  const { code, output } = await source.company('export', 'Ærø & Söhne', file)
  expect(code, output).toBe(0)
  exported = output
})

async function read(path: string) {
  const backup = await openBackup(path)
  const tables: Record<string, string> = {}
  for await (const { name, rows } of backup.tables()) {
    tables[name] = ''
    for await (const part of rows) tables[name] += String(part)
  }
  const files: Record<string, string> = {}
  for await (const { key, bytes } of backup.files()) {
    const hash = createHash('sha256')
    for await (const piece of bytes) hash.update(piece)
    files[key] = hash.digest('hex')
  }
  return { header: backup.header, tables, files, trailer: await backup.trailer() }
}

/** Every row of a company, as it is stored. */
async function rowsOf(connection: pg.ClientConfig, company_id: string) {
  const content: Record<string, string[]> = {}
  for (const name of [...distributed, ...known, 'company_by_secret', 'pictures', 'sign_in_emails']) {
    const text = `select t::text as row from "${name}" t where ${companyColumn(name)} = '${company_id}' order by 1`
    content[name] = (await ask<{ row: string }>(connection, text)).map(({ row }) => row)
  }
  return content
}
const isThere = async (connection: pg.ClientConfig, company_id: string) =>
  Object.values(await rowsOf(connection, company_id)).flat().length > 0

test('a company arrives with every row and file, beside one that stays as it was', async () => {
  const target = await installation()
  const other = await filledCompany(target, { name: 'Here first' })
  const before = await rowsOf(target.owner, other.company_id)
  const { code, output } = await target.company('import', file)
  expect(code, output).toBe(0)
  expect(output).toMatch(/Imported and verified Ærø & Söhne \(.*\) with [\d,]+ rows in \d+ tables and 1 file/)
  expect(await rowsOf(target.owner, other.company_id)).toEqual(before)

  const again = newFile()
  expect((await target.company('export', moved.company_id, again)).code).toBe(0)
  const [first, second] = [await read(file), await read(again)]
  expect(first.trailer.tables.map(({ name }) => name).sort()).toEqual(moving.toSorted())
  expect(first.trailer.tables.filter(({ rows }) => !rows)).toEqual([])
  expect(second.trailer).toEqual(first.trailer)
  expect(second.files).toEqual(first.files)
  expect(first.files[moved.file]).toBe(
    createHash('sha256')
      .update(readFileSync(join(target.filesFolder, moved.file)))
      .digest('hex'),
  )
  const { without_secret, ...header } = first.header.company!
  expect(second.header.company).toEqual({ ...header, without_secret: [] })
  expect(header.addresses.length).toBeGreaterThan(1)
  const inSource = await rowsOf(source.owner, moved.company_id)
  const inTarget = await rowsOf(target.owner, moved.company_id)
  for (const name of moving.filter((name) => !Object.keys(replaced).some((column) => column.startsWith(`${name}.`))))
    expect(inTarget[name], name).toEqual(inSource[name])
  expect(await verifyAuditLog(target.db, moved.company_id)).toMatchObject({ ok: true, problems: [] })
  expect((await verifyAuditLog(target.db, moved.company_id)).sealed).toBeGreaterThan(20)

  const doctor = launch('commands/doctor', target.env, ['--json'])
  await doctor.ended
  const findings: Finding[] = JSON.parse(doctor.output().slice(0, doctor.output().lastIndexOf(']') + 1))
  for (const check of ['Migrations', 'Sign-in', 'Audit log', 'Files'])
    expect(findings.find((finding) => finding.check === check)).toMatchObject({ status: 'ok' })
})

test('no secret leaves the installation, and people are asked to enter them again', async () => {
  const { tables } = await read(file)
  const text = Object.values(tables).join('')
  const [stored] = await ask<{ password_hash: string }>(
    source.owner,
    `select password_hash from users where id = '${moved.user_id}'`,
  )
  const hex = (bytes: Buffer) => bytes.toString('hex')
  for (const word of [hex(Buffer.from(secret)), hex(sha256(moved.key)), stored!.password_hash, moved.key]) {
    const places = Object.keys(tables).filter((name) => tables[name]!.includes(word))
    // These have bytes that are no secret, and the tests fill them all alike.
    expect(places.filter((name) => !harmless.some((column) => column.startsWith(`${name}.`)))).toEqual([])
  }
  expect(text).not.toContain(stored!.password_hash)
  expect(exported).toMatch(/create or enter these again:\n.*- API key/)
  for (const name of [
    '- API key Test (Ada Admin)',
    '- Channel',
    '- Destination of leads',
    '- Mail server',
    '- Webhook',
  ])
    expect(exported).toContain(name)
})

test('of every table and every column that looks like a secret, someone decided whether it moves', async () => {
  const columns = await ask<{ name: string; type: string }>(
    source.owner,
    `select c.relname || '.' || attname as name, format_type(atttypid, atttypmod) as type
     from pg_attribute join pg_class c on c.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
     order by 1`,
  )
  const tableOf = (column: string) => column.split('.')[0]!
  const names = columns.map(({ name }) => name)
  const tables = [...new Set(names.map(tableOf))]
  expect(tables.filter((name) => moving.includes(name) === name in staying)).toEqual([])
  expect([...local, ...known].filter((name) => !(name in staying) && name !== 'pictures')).toEqual([])
  const decided = [...Object.keys(replaced), ...harmless]
  expect(decided.filter((name) => !names.includes(name))).toEqual([])
  const suspicious = columns.filter(
    ({ name, type }) =>
      moving.includes(tableOf(name)) &&
      (type === 'bytea' || /secret|hash|token|password|sealed|credential|headers|leased/.test(name.split('.')[1]!)),
  )
  expect(suspicious.map(({ name }) => name).filter((name) => !decided.includes(name))).toEqual([])
})

test('after the import people sign in with a new password, and keys of the source do not work', async () => {
  const target = await installation()
  expect((await target.company('import', file)).code).toBe(0)
  const { email } = moved
  const refused = { problem: { status: 401 } }
  await expect(target.visitor.signIn({ email, password: givenPassword })).rejects.toMatchObject(refused)
  await expect(target.withKey(moved.key).listUsers({})).rejects.toMatchObject(refused)
  const reset = launch('commands/reset-password', target.env, [email])
  expect(await reset.ended).toBe(0)
  const token = /#token=([\w-]{43})/.exec(reset.output())![1]!
  await target.visitor.resetPassword({ token, password: 'a much better one' })
  const signedIn = await target.visitor.signIn({ email, password: 'a much better one' })
  expect(signedIn).toMatchObject({ state: 'signed_in', me: { company_name: 'Ærø & Söhne', role: 'Admin' } })
  expect((await target.pool.query('select from due_work where company_id = $1', [moved.company_id])).rowCount).toBe(7)
})

describe('an address that already signs in', () => {
  let target: Awaited<ReturnType<typeof installation>>
  beforeAll(async () => {
    target = await installation()
    const other = await target.given.company({ name: 'Other' })
    await ask(target.owner, `update users set email = '${moved.email}' where id = '${other.user_id}'`)
    await ask(target.owner, `update sign_in_emails set email = '${moved.email}' where user_id = '${other.user_id}'`)
  })

  test('is refused with both choices, and nothing is changed', async () => {
    const { code, output } = await target.company('import', file)
    expect(code).toBe(1)
    expect(output).toContain(`- ${moved.email}`)
    expect(output).toMatch(/--rename-email .*=new@example\.com.*\n.*--without-sign-in/)
    const lastAdmin = await target.company('import', file, '--without-sign-in')
    expect(lastAdmin.output).toContain('No Admin of Ærø & Söhne could sign in')
    const taken = await target.company('import', file, '--rename-email', 'no@example.com=b@example.com')
    expect(taken.output).toContain('No one in Ærø & Söhne signs in with no@example.com')
    expect(await isThere(target.owner, moved.company_id)).toBe(false)
    expect(existsSync(join(target.filesFolder, moved.file))).toBe(false)
  })

  test('can be renamed, and the user has the new address everywhere', async () => {
    const renamed = await target.company('import', file, '--rename-email', `${moved.email}=ada@acme.example`)
    expect(renamed.code, renamed.output).toBe(0)
    const rows = await ask(
      target.owner,
      `select u.email, s.email as signs_in_with from users u join sign_in_emails s on s.user_id = u.id
       where u.id = '${moved.user_id}'`,
    )
    expect(rows).toEqual([{ email: 'ada@acme.example', signs_in_with: 'ada@acme.example' }])
  })

  test.runIf(isLong)('can be left without sign-in, if another Admin can sign in', async () => {
    const third = await installation()
    const other = await third.given.company({ name: 'Other' })
    await ask(third.owner, `update sign_in_emails set email = '${moved.email}' where user_id = '${other.user_id}'`)
    const second = await source.given.user(moved, { role: 'Admin' })
    const withTwo = newFile()
    expect((await source.company('export', moved.company_id, withTwo)).code).toBe(0)
    await ask(source.owner, `delete from sign_in_emails where user_id = '${second.user_id}'`)
    await ask(source.owner, `delete from users where id = '${second.user_id}'`)
    const { code, output } = await third.company('import', withTwo, '--without-sign-in')
    expect(code, output).toBe(0)
    expect(output).toContain(`Without sign-in: ${moved.email}`)
    const rows = await ask<{ company_id: string }>(
      third.owner,
      `select company_id from sign_in_emails where email in ('${moved.email}', '${second.email}') order by email = '${second.email}'`,
    )
    expect(rows.map(({ company_id }) => company_id)).toEqual([other.company_id, moved.company_id])
  })
})

test.runIf(isLong)('kill -9 leaves nothing half, and the same command completes it', async () => {
  const target = await installation()
  await target.given.company()
  const folder = mkdtempSync(join(home, 'to-'))
  const held = (env: Record<string, string>, ...args: string[]) =>
    until(run('company', { ...env, HOLD_COPY: 'records' }, ...args), 'The copy is held.')
  const path = join(folder, 'a.kith')
  const writing = await held(source.env, 'export', moved.company_id, path)
  writing.child.kill('SIGKILL')
  await writing.ended
  expect(readdirSync(folder)).toEqual(['a.kith.partial'])
  await expect
    .poll(async () => (await source.company('export', moved.company_id, path)).code, { timeout: 60_000 })
    .toBe(0)
  expect(readdirSync(folder)).toEqual(['a.kith'])

  const reading = await held(target.env, 'import', path)
  reading.child.kill('SIGKILL')
  await reading.ended
  expect(await isThere(target.owner, moved.company_id)).toBe(false)
  const done = await target.company('import', path)
  expect(done.code, done.output).toBe(0)
  expect(await isThere(target.owner, moved.company_id)).toBe(true)
  const twice = await target.company('import', path)
  expect(twice.output).toContain('already has the company Ærø & Söhne')
})

describe('nothing is changed', () => {
  test('by a file of another kind', async () => {
    const target = await installation()
    const whole = newFile()
    await backUp({ connection: source.owner, store, file: whole })
    const refused = await target.company('import', whole)
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('npm run restore -- FILE') })
    await expect(restoreInto(target.owner, file)).rejects.toThrow(/contains only the company Ærø & Söhne/)
  })

  test('by a file of another version, or one with rows of another company', async () => {
    const target = await installation()
    const other = await target.given.company()
    const altered = async (
      header: (header: Awaited<ReturnType<typeof read>>['header']) => void,
      to = (rows: string) => rows,
    ) => {
      const [backup, path] = [await openBackup(file), newFile()]
      header(backup.header)
      const frames = async function* () {
        yield* headerFrame(backup.header)
        for await (const { name, rows } of backup.tables()) {
          yield* tableFrame(name)
          for await (const part of rows)
            yield* rowsFrame(Buffer.from(name === 'currency_rates' ? to(String(part)) : part))
        }
        for await (const { bytes } of backup.files()) for await (const _ of bytes);
        yield* trailerFrame({ ...(await backup.trailer()), files: { count: 0, bytes: 0 } })
      }
      const parts: Buffer[] = []
      await pipeline(frames, ...packing(), async (all: AsyncIterable<Buffer>) => {
        for await (const part of all) parts.push(part)
      })
      writeFileSync(path, Buffer.concat(parts))
      return path
    }
    const older = await target.company('import', await altered(({ migrations }) => void migrations.pop()))
    expect(older.output).toContain('Update both to the same version')
    const foreign = await altered(
      () => {},
      (rows) => rows + rows.replaceAll(moved.company_id, other.company_id),
    )
    expect((await target.company('import', foreign)).output).toContain('is damaged')
    expect(await isThere(target.owner, moved.company_id)).toBe(false)
  })

  test('if the company is not named clearly', async () => {
    const unnamed = await source.company('export')
    expect(unnamed).toMatchObject({ code: 1, output: expect.stringContaining(`${moved.company_id}  Ærø & Söhne`) })
    expect((await source.company('export', 'Nope')).output).toContain('There is no company Nope')
    expect((await source.company('make')).output).toContain('company -- import FILE')
  })
})
