import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { download, finished, imported, peopleIn as people, table, uploaded } from '../../../test/csv.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey } = kith

async function company() {
  const admin = await given.company()
  const key = await given.key(admin)
  return { admin, key, api: withKey(key) }
}
const refusedWith = (message: RegExp, status = 422) => ({ problem: { status, detail: expect.stringMatching(message) } })

describe('an import', () => {
  test('creates a record for each row, under one change set that can be undone', async () => {
    const { api } = await company()
    const rows = Array.from({ length: 1200 }, (_, i) => `P${i},p${i}@example.com,${i}`)
    const file_id = await uploaded(api, `First Name,E-mail,Score\n${rows.join('\n')}\n`)
    const { job, mapping } = await imported(api, { object: 'people', file_id })
    expect(mapping).toEqual({ 'First Name': 'first_name', 'E-mail': 'emails', Score: 'score' })
    expect(job).toMatchObject({ kind: 'import', state: 'done', total: 1200, done: 1200, changed: 1200, failed: 0 })
    expect(job.result).toEqual({
      file_name: 'people.csv',
      created: 1200,
      updated: 0,
      unchanged: 0,
      related_created: {},
    })
    expect((await api.countRecords({ object: 'people' })).count).toBe(1200)
    const { items } = await api.listChanges({ max_changes: 1 })
    expect(items[0]).toMatchObject({
      id: job.change_set_id,
      operation: 'importRecords',
      door: 'import',
      other_changes: 1199,
    })
    const undo = await api.undoChanges({ change_set_ids: [job.change_set_id] })
    await finished(api, undo.job_id!)
    expect((await api.countRecords({ object: 'people' })).count).toBe(0)
    expect((await api.getJob({ id: job.id })).state).toBe('undone')
  })

  test('reads values as they are written: dates, decimals, yes and no, lists, money, users', async () => {
    const { api } = await company()
    const csv = [
      'First name;Score;Birthday;Do not contact;Tags;Owner;Phones',
      'Ada;1.234,5;31.12.1990;ja;vip, new;Ada Admin;030 1234567',
      'Bob;-0,5;01.02.85;no;"vip";;+49 30 7654321',
    ].join('\r\n')
    await api.updateField({ object: 'people', field: 'tags', options: [{ label: 'VIP' }, { label: 'New' }] })
    await api.updateCompany({ country: 'DE' } as never)
    const { job, format } = await imported(api, { object: 'people', csv })
    expect(job.problems).toEqual([])
    expect(format).toMatchObject({ encoding: 'utf-8', delimiter: ';', decimal: ',', date_order: 'dmy', country: 'DE' })
    expect(await people(api, ['first_name', 'score', 'birthday', 'do_not_contact', 'tags', 'phones'])).toEqual([
      ['Ada', 1234.5, '1990-12-31', true, ['vip', 'new'], ['+49301234567']],
      ['Bob', -0.5, '1985-02-01', false, ['vip'], ['+49307654321']],
    ])
    const deals = 'Name,Amount,Close date\nA,"1,200.50 USD",12/31/2026\nB,€5,1/2/2026\nC,7,2026-03-04 00:00:00\n'
    const { job: second } = await imported(api, {
      object: 'deals',
      csv: deals,
      mapping: { Name: 'name', Amount: 'amount', 'Close date': 'expected_close' } as never,
    }).catch((error) => {
      throw new Error(JSON.stringify(error.problem))
    })
    expect(second.problems).toEqual([])
    const { records } = await api.listRecords({ object: 'deals', sort: ['created_at'] })
    expect(records.map(({ amount }) => amount)).toEqual([
      { amount: '1200.50', currency: 'USD' },
      { amount: '5', currency: 'EUR' },
      { amount: '7', currency: expect.any(String) },
    ])
  })

  test('creates a missing organization once, whatever its case and accents, and finds existing ones by domain', async () => {
    const { api } = await company()
    await api.createRecords({ object: 'organizations', records: [{ name: 'Globex', domains: ['globex.com'] }] })
    const rows = Array.from(
      { length: 1500 },
      (_, i) => `P${i},${['Café Zoé', 'CAFE  ZOE', 'globex.com', 'Initech'][i % 4]}`,
    )
    const { job } = await imported(api, {
      object: 'people',
      csv: `First name,Company\n${rows.join('\n')}`,
      if_missing: 'create',
    })
    expect(job.result).toMatchObject({ created: 1500, related_created: { organizations: 2 } })
    const { records } = await api.listRecords({ object: 'organizations', sort: ['name'] })
    expect(records.map(({ name }) => name)).toEqual(['Café Zoé', 'Globex', 'Initech'])
    expect((await api.countRecords({ object: 'people', filter: 'organization = "Cafe Zoe"' })).count).toBe(750)
    await api.undoChanges({ change_set_ids: [job.change_set_id] })
  })

  test('fails the row, or leaves the value out with a note, if a relation or option is missing', async () => {
    const { api } = await company()
    const csv = 'First name,Company,Status\nAda,Nowhere,Active\nBob,,Nonsense\nCleo,,active\n'
    const failing = await imported(api, { object: 'people', csv })
    expect(failing.job).toMatchObject({ done: 3, failed: 2, result: { created: 1 } })
    expect(failing.job.problems).toEqual([
      {
        file_name: null,
        line: 2,
        record_id: null,
        is_note: false,
        message: expect.stringMatching(/^Company: there is no organization Nowhere/),
      },
      {
        file_name: null,
        line: 3,
        record_id: null,
        is_note: false,
        message: expect.stringMatching(/^Status: There is no option Nonsense/),
      },
    ])
    const lenient = await imported(api, { object: 'people', csv, if_missing: 'leave_empty' })
    expect(lenient.job).toMatchObject({ done: 3, failed: 0, result: { created: 3 } })
    expect(lenient.job.problems.map(({ line, is_note }) => [line, is_note])).toEqual([
      [2, true],
      [3, true],
    ])
    const creating = await imported(api, {
      object: 'people',
      csv,
      mapping: {
        'First name': 'first_name',
        Company: { field: 'organization', if_missing: 'leave_empty' },
        Status: { field: 'status', if_missing: 'create' },
      },
    })
    expect(creating.job.result).toMatchObject({ created: 3, options_created: { status: 1 } })
    expect(await people(api, ['status'], 'status = Nonsense')).toEqual([['nonsense']])
  })

  test('finds related records among the earlier rows of the same file', async () => {
    const { api } = await company()
    const csv = 'Name,Parent\nAcme,\nAcme Labs,ACME\nLabs Berlin,Acme Labs\nGlobex,\n'
    const { job } = await imported(api, { object: 'organizations', csv })
    expect(job).toMatchObject({ failed: 0, result: { created: 4, related_created: {} } })
    const { records } = await api.queryRecords({ object: 'organizations', filter: 'parent.parent = Acme' })
    expect(records.map(({ name }) => name)).toEqual(['Labs Berlin'])
  })

  test('gives a record with an empty owner no owner, and the importing user one without a column of owners', async () => {
    const { api, admin } = await company()
    const csv = 'First name,Owner\nAda,\nBob,Ada Admin\n'
    const { columns } = await api.previewImport({ object: 'people', csv })
    expect(columns.map(({ note }) => note)).toEqual([null, 'New records with an empty cell here get no owner'])
    await imported(api, { object: 'people', csv })
    await imported(api, { object: 'people', csv: 'First name,Owner\nCleo,\n', mapping: { Owner: null } })
    expect(await people(api, ['first_name', 'owner'])).toEqual([
      ['Ada', null],
      ['Bob', admin.user_id],
      ['Cleo', admin.user_id],
    ])
  })

  test('takes the full name of a person, and several columns of addresses', async () => {
    const { api } = await company()
    const csv = 'Name,Email,Email\nAda King Lovelace,a@b.com,c@d.com\nPlato,,\n'
    await imported(api, { object: 'people', csv })
    expect(await people(api, ['first_name', 'last_name', 'emails'])).toEqual([
      ['Ada King', 'Lovelace', ['a@b.com', 'c@d.com']],
      ['Plato', null, null],
    ])
  })

  test('never chooses one of two matches: the row fails, or loses the link with a note', async () => {
    const { api } = await company()
    await api.createRecords({ object: 'organizations', records: [{ name: 'Twin' }, { name: 'twin' }] })
    const input = { object: 'people', csv: 'First name,Company\nAda,Twin\nBob,\n' } as const
    const { job } = await imported(api, input)
    expect(job).toMatchObject({ failed: 1, result: { created: 1 } })
    expect(job.problems[0]!.message).toMatch(/several organizations are called Twin. Add a column/)
    const { job: lenient } = await imported(api, { ...input, if_missing: 'create' })
    expect(lenient).toMatchObject({ failed: 0, result: { created: 2, related_created: {} } })
    expect(lenient.problems).toMatchObject([
      {
        line: 2,
        is_note: true,
        message: expect.stringContaining('several organizations are called Twin, so it was left out'),
      },
    ])
  })

  test('reports each bad cell with its line and column, and imports the other rows', async () => {
    const { api } = await company()
    const csv =
      'First name,Emails,Score\n"Multi\nline",x,1\nBob,bob@example.com,many\nCleo,cleo@example.com,3\nDan,dan@example.com,1,2,3\n'
    const { job } = await imported(api, { object: 'people', csv })
    expect(job.problems.map(({ line, message }) => [line, message])).toEqual([
      [2, expect.stringMatching(/^First name: “Multi line”: Use a single line; Emails: “x”: /)],
      [4, 'Score: “many”: Use a number such as 1234.5'],
      [6, expect.stringMatching(/^This row has 5 cells/)],
    ])
    expect(await people(api, ['first_name'])).toEqual([['Cleo']])
  })

  test('says what is wrong with which value, and only that', async () => {
    const { api } = await company()
    const csv = [
      'First name,Emails,Birthday,Company,Status',
      'Ada,a@b.com,31/02/1990,,',
      'Bob,b@b.com,,,',
      'Eve,b@b.com,,Nowhere,Fresh',
      'Kurt,not an address,25/12/1990,,',
    ].join('\n')
    const { job } = await imported(api, { object: 'people', csv, mode: 'upsert', match_by: 'emails' })
    const messages = new Map(job.problems.map(({ line, message }) => [line, message]))
    expect(messages.get(2)).toBe('Birthday: “31/02/1990”: This does not match the date format 31.12.2026')
    expect(messages.get(4)).toMatch(
      /^Company: there is no organization Nowhere\..*what is missing.*Status: There is no option Fresh.*what is missing/,
    )
    expect(messages.get(5)).toBe('Emails: “not an address”: Enter an email address such as ada@example.com')
    const { job: creating } = await imported(api, {
      object: 'people',
      csv: 'First name,Emails\nA,x@y.com\nB,X@y.com\n',
    })
    expect(creating.problems).toMatchObject([{ line: 3, message: 'x@y.com is also in line 2' }])
    await expect(api.cancelJob({ id: creating.id })).rejects.toMatchObject(
      refusedWith(new RegExp(`already done.*undo its change set ${creating.change_set_id}`), 409),
    )
  })

  test('gives a file of the failed rows that can be corrected and imported as it is', async () => {
    const { api, key } = await company()
    const csv = 'First name,E-mail,Phone\nAda,ada@,+49 30 1234567\nBob,bob@example.com,\n=Eve,@eve,\n'
    const { job } = await imported(api, { object: 'people', csv })
    const { text, headers } = await download(kith, key, `/jobs/${job.id}/failed-rows`)
    expect(headers.get('content-disposition')).toContain('people-import-failed.csv')
    const [header, ...rows] = table(text)
    expect(header).toEqual(['First name', 'E-mail', 'Phone', '_row', '_id', '_result', '_reason', '_format'])
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ['Ada', 'ada@', '+49 30 1234567', '2'],
      ["'=Eve", "'@eve", '', '4'],
    ])
    const corrected = text.replace('ada@', 'ada@example.com').replace("'@eve", 'eve@example.com')
    const { job: second } = await imported(api, { object: 'people', file_id: await uploaded(api, corrected) })
    expect(second).toMatchObject({ failed: 0, result: { created: 2 } })
    expect(await people(api, ['first_name'], 'first_name = "=Eve"')).toEqual([['=Eve']])
  })

  test('reads a corrected file of failed rows as the original was read', async () => {
    const { api, key } = await company()
    const csv = [
      'First name;E-mail;Score;Birthday',
      'Ada;ada@;1.234;03.04.1990',
      'Bob;b@example.com;1,5;31.12.1990',
    ].join('\r\n')
    const { job } = await imported(api, { object: 'people', csv })
    expect(job).toMatchObject({ failed: 1 })
    const { text } = await download(kith, key, `/jobs/${job.id}/failed-rows`)
    expect(text).toContain('Ada;ada@;1.234;03.04.1990;2;')
    // A spreadsheet may write another delimiter, and dates with another sign.
    const corrected = text.replace('ada@', 'ada@example.com').replaceAll(';', '\t').replace('03.04.1990', '03/04/1990')
    const { job: second, format } = await imported(api, { object: 'people', file_id: await uploaded(api, corrected) })
    expect(format).toMatchObject({ delimiter: '\t', decimal: ',', date_order: 'dmy' })
    expect(second).toMatchObject({ failed: 0 })
    expect(await people(api, ['score', 'birthday'], 'first_name = Ada')).toEqual([[1234, '1990-04-03']])
  })

  test('asks for the country of national phone numbers, and refuses those that do not exist there', async () => {
    const { api } = await company()
    const csv = 'First name,Phone\nAda,030 1000073\n'
    const { job, unsure, advice } = await imported(api, { object: 'people', csv })
    expect({ unsure, advice }).toEqual({ unsure: ['country'], advice: expect.stringContaining('format.country') })
    expect(job).toMatchObject({
      failed: 1,
      problems: [{ message: expect.stringMatching(/country code.*format\.country/) }],
    })
    const { job: chosen } = await imported(api, { object: 'people', csv, format: { country: 'DE' } })
    expect(chosen).toMatchObject({ failed: 0 })
    expect(await people(api, ['phones'])).toEqual([[['+49301000073']]])
    const { job: wrong } = await imported(api, { object: 'people', csv, format: { country: 'US' } })
    expect(wrong).toMatchObject({ failed: 1, problems: [{ message: expect.stringContaining('United States') }] })
  })

  test('leaves out rows that have only delimiters, and counts lines as an editor does', async () => {
    const { api } = await company()
    const csv = 'First name,City,Emails\r\nAda,"a\r\nb",\r\n,,\r\n , ,\r\n\r\nBob,"c\r\nd",x\r\nEve,,y\r\n'
    const { job } = await imported(api, { object: 'people', csv, mapping: { City: null } })
    expect(job).toMatchObject({ total: 3, done: 3, failed: 2, result: { created: 1 } })
    expect(job.problems.map(({ line }) => line)).toEqual([7, 9])
  })

  test('keeps the default of columns that a mapping does not name, and says what it guessed', async () => {
    const { api } = await company()
    const csv = 'First name,Mail 1,Emails,Birthday\nAda,a@b.com,c@d.com,01/02/1990\n'
    const { mapping, unsure, advice, job } = await imported(api, {
      object: 'people',
      csv,
      mapping: { 'Mail 1': 'emails' },
    })
    expect(mapping).toEqual({ 'First name': 'first_name', 'Mail 1': 'emails', Emails: 'emails', Birthday: 'birthday' })
    expect(job).toMatchObject({ failed: 0 })
    expect(unsure).toEqual(['date_order'])
    expect(advice).toMatch(/format\.date_order \(ymd, dmy, mdy; read as mdy\)/)
    const renamed = await api.importRecords({
      object: 'people',
      csv: 'First name,Called\nAda,Eve\n',
      mapping: { Called: 'first_name' },
      dry_run: true,
    })
    expect(renamed.mapping).toEqual({ 'First name': null, Called: 'first_name' })
    await expect(
      api.importRecords({ object: 'people', csv: 'First name,Shoe\nAda,40\n', mapping: { 'First name': 'city' } }),
    ).rejects.toMatchObject(refusedWith(/Shoe.*null to skip/))
  })

  test('of a check imports exactly what was checked, once', async () => {
    const { api, admin } = await company()
    const csv = 'First name,City\nAda,Rome\n'
    const { job: check } = await imported(api, { object: 'people', csv, mapping: { City: null }, dry_run: true })
    const first = await imported(api, { object: 'people', check_id: check.id })
    expect(first).toMatchObject({ dry_run: false, mapping: { 'First name': 'first_name', City: null } })
    expect(first.job).toMatchObject({ state: 'done', result: { created: 1 } })
    expect((await api.getJob({ id: check.id })).result).toMatchObject({ dry_run: true, import_job_id: first.job_id })
    const again = await api.importRecords({ object: 'people', check_id: check.id })
    expect(again.job_id).toBe(first.job_id)
    expect(await people(api, ['first_name', 'city'])).toEqual([['Ada', null]])
    const refused = (input: object) => expect(api.importRecords({ object: 'people', ...input } as never)).rejects
    await refused({ check_id: check.id, csv }).toMatchObject(refusedWith(/only object/))
    await refused({ check_id: first.job_id }).toMatchObject(refusedWith(/no dry run with this ID/))
    const colleague = withKey(await given.key(await given.user(admin)))
    await expect(colleague.importRecords({ object: 'people', check_id: check.id })).rejects.toMatchObject(
      refusedWith(/no dry run with this ID/),
    )
  })

  test('a dry run counts what would happen, in any mode, and writes nothing', async () => {
    const { api, admin } = await company()
    await api.createRecords({
      object: 'people',
      records: [
        { first_name: 'Ada', emails: ['ada@example.com'] },
        { first_name: 'Same', emails: ['same@example.com'] },
      ],
    })
    const csv = [
      'First name,Emails,Company,Status',
      'Ada L.,ada@example.com,New Co,Fresh',
      'Same,same@example.com,,',
      'Bob,bob@example.com,new co,Fresh',
      'Bobby,bob@example.com,,',
      'Bad,x,,',
    ].join('\n')
    const before = await sql`select count(*) from changes where company_id = ${admin.company_id}`.execute(kith.db)
    const dry = { object: 'people', csv, dry_run: true, if_missing: 'create' } as const
    const { job } = await imported(api, { ...dry, mode: 'upsert', match_by: 'emails' })
    expect(job).toMatchObject({ state: 'done', changed: 0, failed: 1, can_undo: false, total: 5 })
    expect(job.result).toMatchObject({
      dry_run: true,
      created: 1,
      updated: 2,
      unchanged: 1,
      related_created: { organizations: 1 },
      options_created: { status: 1 },
    })
    const { job: creating } = await imported(api, { ...dry, mode: 'create' })
    expect(creating).toMatchObject({ failed: 4, result: { created: 1 } })
    expect(
      (await sql`select count(*) from changes where company_id = ${admin.company_id}`.execute(kith.db)).rows,
    ).toEqual(before.rows)
    expect((await api.countRecords({ object: 'organizations' })).count).toBe(0)
    const { job: real } = await imported(api, { ...dry, dry_run: false, mode: 'upsert', match_by: 'emails' })
    expect(real.result).toMatchObject({
      created: 1,
      updated: 2,
      unchanged: 1,
      related_created: { organizations: 1 },
      options_created: { status: 1 },
    })
    expect(real.failed).toBe(1)
  })
})
