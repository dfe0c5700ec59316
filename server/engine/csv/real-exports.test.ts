// Columns as other products export them.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { imported, uploaded } from '../../../test/csv.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey } = kith

async function company() {
  const admin = await given.company()
  return { admin, api: withKey(await given.key(admin)) }
}
type Api = Awaited<ReturnType<typeof company>>['api']

async function suggested(api: Api, object: string, header: string, row: string) {
  const { columns } = await api.previewImport({ object, file_id: await uploaded(api, `${header}\n${row}\n`) })
  return Object.fromEntries(columns.map(({ column, field }) => [column, field]))
}

describe('columns', () => {
  test('are recognized behind the name of their object, numbered, and with currencies, status and origin', async () => {
    const { api } = await company()
    const deals =
      'Deal - ID,Deal - Title,Deal - Organization,Deal - Contact person,Deal - Owner,Deal - Value,Deal - Currency of Value,Deal - Stage,Deal - Status,Deal - Deal created,Deal - Won time,Deal - Lost time,Deal - Expected close date,Organization - Address'
    const row =
      '17,Rollout,Acme,Ada Lovelace,ada@acme.example,100,CHF,Proposal,Open,2024-01-31 10:00:00,,,2027-01-31,Main Street 1'
    expect(await suggested(api, 'deals', deals, row)).toEqual({
      'Deal - ID': null,
      'Deal - Title': 'name',
      'Deal - Organization': 'organization',
      'Deal - Contact person': 'people',
      'Deal - Owner': 'owner',
      'Deal - Value': 'amount',
      'Deal - Currency of Value': 'amount.currency',
      'Deal - Stage': 'stage',
      'Deal - Status': 'status',
      'Deal - Deal created': 'created_at',
      'Deal - Won time': 'closed_at',
      'Deal - Lost time': 'closed_at',
      'Deal - Expected close date': 'expected_close',
      'Organization - Address': null,
    })
    const google =
      'First Name,Last Name,Organization Name,Organization Title,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Type,Phone 1 - Value,Address 1 - City'
    expect(
      await suggested(api, 'people', google, 'Ada,Lovelace,Acme,CTO,vip,Work,a@b.example,c@d.example,Work,+491,Bern'),
    ).toEqual({
      'First Name': 'first_name',
      'Last Name': 'last_name',
      'Organization Name': 'organization',
      'Organization Title': 'job_title',
      Labels: 'tags',
      'E-mail 1 - Label': null,
      'E-mail 1 - Value': 'emails',
      'E-mail 2 - Value': 'emails',
      'Phone 1 - Type': null,
      'Phone 1 - Value': 'phones',
      'Address 1 - City': 'city',
    })
    expect(
      await suggested(api, 'notes', 'ID,Content,Deal,Organization,Person,User,Add time', '9,Hi,A,B,C,D,2024-01-01'),
    ).toEqual({
      ID: null,
      Content: 'body',
      Deal: 'about.deals',
      Organization: 'about.organizations',
      Person: 'about.people',
      User: 'created_by',
      'Add time': 'created_at',
    })
    const owners = await suggested(api, 'people', 'Person - Name,Person - Owner', 'Ada Lovelace,karla@nordwind.example')
    expect(owners).toEqual({ 'Person - Name': 'title', 'Person - Owner': 'owner' })
  })
})

describe('an import of deals', () => {
  const header = 'Title,Value,Currency,Stage,Status,Won time,Lost time,Organization,Contact person,Add time,Creator'
  const mapping = { Title: 'name', Status: 'status', Creator: 'created_by' } as never

  test('keeps currencies, won and lost with their dates, and when and by whom each was created', async () => {
    const { api, admin } = await company()
    await given.user(admin, { name: 'Bob Builder' })
    const csv = [
      header,
      'Open one,100,CHF,Proposal,Open,,,Acme,,2024-01-31 10:00:00,Bob Builder',
      'Won one,200,EUR,Proposal,Won,2024-05-01 12:00:00,,Acme,,2024-02-01,Ada Admin',
      'Lost one,300,,Negotiation,Lost,,2024-06-01 12:00:00,,,2024-03-01,Someone Else',
      'Both,1,EUR,Qualified,Won,2024-05-01,2024-06-01,,,,',
      'Odd,1,Franken,Qualified,Maybe,,,,,2099-01-01,',
    ].join('\n')
    const { job } = await imported(api, { object: 'deals', csv, mapping, if_missing: 'create' })
    expect(job.problems.map(({ line, message, is_note }) => [line, is_note, message])).toEqual([
      [4, true, expect.stringMatching(/^Creator: there is no user Someone Else/)],
      [5, false, expect.stringMatching(/^Lost time: .* differs from Won time/)],
      [
        6,
        false,
        expect.stringMatching(
          /Status: “Maybe”: Use open.*Currency: “Franken”: Write the currency as a code.*a time in the past/,
        ),
      ],
    ])
    const { records } = await api.listRecords({ object: 'deals', sort: ['amount'] })
    const shown = records.map(({ name, amount, stage, status, closed_at, created_at }) => [
      name,
      (amount as { currency: string }).currency,
      stage,
      status,
      String(closed_at ?? '').slice(0, 7),
      String(created_at).slice(0, 7),
    ])
    expect(shown.toSorted()).toEqual([
      ['Lost one', 'USD', 'lost', 'lost', '2024-06', '2024-03'],
      ['Open one', 'CHF', 'proposal', 'open', '', '2024-01'],
      ['Won one', 'EUR', 'won', 'won', '2024-05', '2024-02'],
    ])
    const { records: byBob } = await api.listRecords({ object: 'deals', filter: 'created_by = "Bob Builder"' })
    expect(byBob.map(({ name }) => name)).toEqual(['Open one'])
    const { items } = await api.listChanges({ limit: 1 })
    expect(items[0]).toMatchObject({ operation: 'importRecords', actor_id: admin.user_id })
    const member = withKey(await given.key(await given.user(admin)))
    await expect(
      member.importRecords({
        object: 'deals',
        csv: 'Name,Add time\nA,2024-01-01',
        mapping: { 'Add time': 'created_at' } as never,
      }),
    ).rejects.toMatchObject({ problem: { detail: expect.stringMatching(/Only an Admin can import created_at/) } })
  })

  test('finds which of several people a row means by its other columns, and says how to name them otherwise', async () => {
    const { api } = await company()
    const { records: some } = await api.createRecords({
      object: 'organizations',
      records: [{ name: 'Acme' }, { name: 'Globex' }],
    })
    const { records: people } = await api.createRecords({
      object: 'people',
      records: [
        { first_name: 'Ivo', last_name: 'Jäger', emails: ['ivo@acme.example'], organization: some[0]!.id },
        { first_name: 'Ivo', last_name: 'Jäger', emails: ['ivo@globex.example'], organization: some[1]!.id },
      ],
    })
    const csv = [
      'Deal,Organization,Contact person,Email',
      'By organization,Globex,Ivo Jäger,',
      'By address,,Ivo Jäger,ivo@acme.example',
      'Unclear,,Ivo Jäger,',
    ].join('\n')
    const { job } = await imported(api, { object: 'deals', csv, mapping: { Email: null } as never })
    expect(job.problems.map(({ line, message }) => [line, message])).toEqual([
      [
        4,
        'Contact person: several people are called Ivo Jäger. Use one of these instead: ivo@acme.example, ivo@globex.example',
      ],
    ])
    const { records } = await api.listRecords({ object: 'deals', sort: ['name'], fields: ['name', 'people'] })
    expect(records.map(({ name, people }) => [name, (people as { id: string }[]).map(({ id }) => id)])).toEqual([
      ['By address', [people[0]!.id]],
      ['By organization', [people[1]!.id]],
    ])
  })
})

test('a check counts the users and options that do not exist, and the import reads them as the user says', async () => {
  const { api, admin } = await company()
  const csv =
    'Name,Stage,Owner,Tags\nA,Angebot,karla@old.example,vip\nB,Angebot,Ada Admin,vip; new\nC,Verloren,karla@old.example,\nD,Abgesagt,,\n'
  const input = { object: 'deals', csv } as const
  const { job: check } = await imported(api, { ...input, dry_run: true })
  expect(check).toMatchObject({
    failed: 4,
    result: {
      unknown_values: {
        // A word for lost needs no question.
        Stage: [
          { value: 'Angebot', rows: 2 },
          { value: 'Abgesagt', rows: 1 },
        ],
        Owner: [{ value: 'karla@old.example', rows: 2 }],
        Tags: [
          { value: 'vip', rows: 2 },
          { value: 'new', rows: 1 },
        ],
      },
    },
  })
  const values = {
    Stage: { Angebot: 'Proposal', Abgesagt: 'lost' },
    Owner: { 'karla@old.example': admin.user_id },
    Tags: { vip: 'VIP', new: '' },
  }
  const { job } = await imported(api, { ...input, values, if_missing: 'create' })
  expect(job.problems).toEqual([])
  const { records } = await api.listRecords({ object: 'deals', sort: ['name'] })
  expect(records).toMatchObject([
    { name: 'A', stage: 'proposal', owner: admin.user_id, tags: ['vip'] },
    { name: 'B', stage: 'proposal', owner: admin.user_id, tags: ['vip'] },
    { name: 'C', stage: 'lost', owner: admin.user_id },
    { name: 'D', stage: 'lost' },
  ])
  const { earlier } = await api.previewImport({ object: 'deals', csv })
  expect(earlier).toMatchObject({ mode: 'create', values })
})

test('the IDs of another system link records, and its next export updates them', async () => {
  const { api } = await company()
  const id = { key: 'old_id', label: 'Salesforce ID', type: 'text', is_unique: true } as const
  for (const object of ['organizations', 'people']) await api.createField({ object, ...id })
  const organizations = 'Id,Name\n001A,Acme\n001B,Globex\n'
  expect(await suggested(api, 'organizations', 'Id,Name', '001A,Acme')).toEqual({ Id: 'old_id', Name: 'name' })
  const upsert = { mode: 'upsert', match_by: 'old_id' } as const
  await imported(api, { object: 'organizations', csv: organizations, ...upsert })
  const people = (city: string) => `Id,AccountId,LastName,MailingCity\n003A,001B,Lovelace,${city}\n`
  for (const city of ['London', 'Paris']) {
    const { job, mapping } = await imported(api, { object: 'people', csv: people(city), ...upsert })
    expect(mapping).toMatchObject({ Id: 'old_id', AccountId: 'organization' })
    expect(job).toMatchObject({ failed: 0, result: city === 'London' ? { created: 1 } : { created: 0, updated: 1 } })
  }
  const { records } = await api.listRecords({ object: 'people' })
  expect(records).toMatchObject([{ last_name: 'Lovelace', city: 'Paris', organization: { title: 'Globex' } }])
})

test('an import updates organizations by name, as often as the file names one', async () => {
  const { api } = await company()
  await api.createRecords({
    object: 'organizations',
    records: [{ name: 'Café Zoé' }, { name: 'Twin' }, { name: 'Twin' }],
  })
  const csv = 'Name,City\nCAFE ZOE,Bern\nNew,Basel\nnew,Chur\nTwin,Genf\n'
  const input = { object: 'organizations', csv, mode: 'upsert', match_by: 'name' } as const
  const dry = await imported(api, { ...input, dry_run: true })
  const { job } = await imported(api, input)
  for (const { result, problems } of [dry.job, job]) {
    expect(result).toMatchObject({ created: 1, updated: 2 })
    expect(problems.map(({ message }) => message)).toEqual(['This row matches 2 records: Twin, Twin'])
  }
  const { records } = await api.listRecords({ object: 'organizations', filter: 'city is not empty', sort: ['name'] })
  expect(records.map(({ name, city }) => [name, city])).toEqual([
    ['Café Zoé', 'Bern'],
    ['New', 'Chur'],
  ])
})

test('notes are about the deal, the organization and the person of their columns', async () => {
  const { api } = await company()
  await api.createRecords({ object: 'organizations', records: [{ name: 'Acme' }] })
  await api.createRecords({ object: 'people', records: [{ first_name: 'Acme' }] })
  const csv = 'Content,Organization,Person\nHello,Acme,Acme\n'
  const { job } = await imported(api, { object: 'notes', csv })
  expect(job.problems).toEqual([])
  const { records } = await api.listRecords({ object: 'notes', fields: ['about'] })
  expect((records[0]!.about as unknown[]).length).toBe(2)
})
