// Activities, tasks, notes and leads of other products, moved in as the wizard does it.
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { finished, uploaded } from '../../../test/csv.ts'
import { moveIn, rowsOf } from '../../../test/move-in.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey } = kith

async function company() {
  const admin = await given.company()
  const { email, user_id } = await given.user(admin, { name: 'Karla Klein' })
  return {
    api: withKey(await given.key(admin)),
    karla: email,
    names: new Map<unknown, string>([[user_id, 'Karla Klein']]),
  }
}
type Api = Awaited<ReturnType<typeof company>>['api']

const planOf = async (api: Api, name: string, text: string) =>
  (await api.planMove({ file_ids: [await uploaded(api, text, name)] })).files[0]!

const activities = (...rows: string[]) =>
  [
    'Activity - ID,Activity - Done,Activity - Subject,Activity - Type,Activity - Due date,Activity - Due time,Activity - Duration,Activity - Assigned to user,Activity - Deal,Activity - Contact person,Activity - Priority,Activity - Note,Activity - Add time,Activity - Next activity date',
    ...rows,
  ].join('\n')
const open =
  '7,To do,Send the contract,Task,2031-12-01,15:00,,Karla Klein,Rollout,Ada Lovelace,High,With terms,2024-01-02 10:00:00,2031-12-01'
const done =
  '8,Done,First call,Call,2024-02-03,09:30,00:30,Karla Klein,Rollout,Ada Lovelace,,Went well,2024-02-01 10:00:00,'

test('Pipedrive: what is still to be done becomes tasks, and what has happened activities, in either order', async () => {
  const { api, names } = await company()
  const first = await moveIn(api, { 'todo.csv': activities(open) })
  expect(first).toMatchObject({ objects: ['tasks'], lost: { 'todo.csv': ['Activity - Type'] } })
  const second = await moveIn(api, { 'done.csv': activities(done) })
  expect(second).toMatchObject({ objects: ['activities'], lost: { 'done.csv': [] } })
  expect(
    await rowsOf(api, 'tasks', ['title', 'due_at', 'status', 'priority', 'assignee', 'about', 'body', 'old_id'], names),
  ).toEqual([
    [
      'Send the contract',
      '2031-12-01T15:00:00.000Z',
      'open',
      'high',
      'Karla Klein',
      ['Rollout', 'Ada Lovelace'],
      'With terms',
      '7',
    ],
  ])
  expect(
    await rowsOf(
      api,
      'activities',
      ['kind', 'at', 'duration', 'outcome', 'owner', 'about', 'people', 'body', 'old_id'],
      names,
    ),
  ).toEqual([
    [
      'call',
      '2024-02-03T09:30:00.000Z',
      30,
      'First call',
      'Karla Klein',
      ['Rollout'],
      ['Ada Lovelace'],
      'Went well',
      '8',
    ],
  ])
  const both = await planOf(api, 'all.csv', activities(open, done))
  expect(both).toMatchObject({ object: 'tasks', note: expect.stringContaining('all become tasks, done or open') })
})

test('HubSpot: tasks, calls and notes keep their texts and all their records', async () => {
  const { api, names } = await company()
  const { lost, objects } = await moveIn(api, {
    'companies.csv':
      'Record ID,Company name,Company owner,Street Address,Postal Code,City\n70,Acme,,Main Street 1,3011,Bern\n71,Beta,,,,',
    'contacts.csv':
      'Record ID,First Name,Last Name,Email,Lead Status,Last Activity Date,Primary Associated Company ID,Associated Company IDs,Associated Company\n51,Ada,Lovelace,ada@acme.example,OPEN,2026-10-01 09:00,70,70;71,Acme;Beta',
    'deals.csv':
      'Record ID,Deal Name,Deal Stage,Close Date,Deal owner,Amount,Closed Lost Reason,Deal Description\n90,Rollout,Closed Lost,2024-05-06 17:03,Karla Klein,10,Timing,Ten sites',
    'tasks.csv':
      'Record ID,Task Title,Task status,Priority,Due date,Completed at,Assigned to,Notes,Create Date,Associated Company IDs,Associated Company,Associated Deal IDs\n60,Send the quote,Completed,Medium,2024-02-03 09:30,2024-02-02 15:00,Karla Klein,With terms,2024-01-02 09:30,70;71,Acme;Beta,90',
    'calls.csv':
      'Record ID,Call Title,Call notes,Call direction,Activity date,Activity assigned to,Associated Contact IDs\n61,Intro,Went well,Inbound,2024-02-04 10:00,Karla Klein,51',
    'notes.csv': 'Record ID,Note body,Activity date,Associated Deal IDs\n62,They want a demo,2024-02-05 08:00,90',
  })
  expect(objects).toEqual(['organizations', 'people', 'deals', 'tasks', 'activities', 'notes'])
  expect(lost).toEqual({
    'companies.csv': [],
    'contacts.csv': ['Lead Status', 'Associated Company IDs'],
    'deals.csv': ['Deal Description'],
    'tasks.csv': [],
    'calls.csv': [],
    'notes.csv': [],
  })
  expect(await rowsOf(api, 'organizations', ['name', 'address', 'city'])).toEqual(
    expect.arrayContaining([['Acme', 'Main Street 1\n3011', 'Bern']]),
  )
  expect(await rowsOf(api, 'people', ['title', 'organization', 'status', 'birthday'])).toEqual([
    ['Ada Lovelace', 'Acme', null, null],
  ])
  expect(await rowsOf(api, 'deals', ['name', 'status', 'closed_at', 'lost_reason'])).toEqual([
    ['Rollout', 'lost', '2024-05-06T17:03:00.000Z', 'timing'],
  ])
  expect(
    await rowsOf(api, 'tasks', ['title', 'status', 'completed_at', 'due_at', 'assignee', 'body', 'about'], names),
  ).toEqual([
    [
      'Send the quote',
      'done',
      '2024-02-02T15:00:00.000Z',
      '2024-02-03T09:30:00.000Z',
      'Karla Klein',
      'With terms',
      ['Acme', 'Beta', 'Rollout'],
    ],
  ])
  expect(
    await rowsOf(api, 'activities', ['kind', 'at', 'outcome', 'direction', 'body', 'owner', 'people'], names),
  ).toEqual([['call', '2024-02-04T10:00:00.000Z', 'Intro', 'incoming', 'Went well', 'Karla Klein', ['Ada Lovelace']]])
  expect(await rowsOf(api, 'notes', ['body', 'created_at', 'about'])).toEqual([
    ['They want a demo', '2024-02-05T08:00:00.000Z', ['Rollout']],
  ])
})

test('Salesforce: leads, events and notes arrive with their links, and deleted records are left out', async () => {
  const { api, names } = await company()
  const { objects, lost } = await moveIn(
    api,
    {
      'Account.csv': 'Id,IsDeleted,Name,ParentId,BillingCity,Description\n001A1,0,Acme,,Bern,Machines\n001A2,1,Gone,,,',
      'Contact.csv':
        'Id,IsDeleted,AccountId,LastName,FirstName,Email,HasOptedOutOfEmail,Description\n003A1,0,001A1,Lovelace,Ada,ada@acme.example,1,Met in Bern',
      'Lead.csv':
        'Id,IsDeleted,LastName,FirstName,Name,Title,Company,Email,Status,Rating,OwnerId,IsConverted,ConvertedDate,ConvertedContactId,CreatedDate\n00QA1,0,Beck,Bo,Bo Beck,Buyer,Beta,bo@beta.example,Working - Contacted,Hot,Karla Klein,0,,,2024-01-01T08:00:00.000Z\n00QA2,0,Lovelace,Ada,Ada Lovelace,,Acme,ada@acme.example,Closed - Converted,,Karla Klein,1,2024-02-02,003A1,2024-01-02T08:00:00.000Z',
      'Event.csv':
        'Id,IsDeleted,WhoId,WhatId,Subject,ActivityDateTime,ActivityDate,DurationInMinutes,StartDateTime,EndDateTime,Description,EventSubtype,OwnerId\n00UA1,0,00QA1,001A1,Kick-off,2024-03-04T08:00:00.000Z,2024-03-04,45,2024-03-04T08:00:00.000Z,2024-03-04T08:45:00.000Z,Went well,Event,Karla Klein',
      'Note.csv':
        'Id,IsDeleted,ParentId,Title,Body,CreatedDate\n002A1,0,001A1,Price,At most 5 %,2024-03-05T08:00:00.000Z\n002A2,0,00QA1,,Call again,2024-03-06T08:00:00.000Z',
    },
    {
      problems: [
        expect.objectContaining({
          file_name: 'Account.csv',
          line: 3,
          is_note: true,
          message: 'The row was left out, because IsDeleted is “1”',
        }),
      ],
    },
  )
  expect(objects).toEqual(['organizations', 'people', 'leads', 'activities', 'notes'])
  expect(lost).toEqual({
    'Account.csv': ['Description'],
    'Contact.csv': [],
    'Lead.csv': ['Title', 'Rating'],
    'Event.csv': [],
    'Note.csv': [],
  })
  expect(await rowsOf(api, 'organizations', ['name', 'city'])).toEqual([['Acme', 'Bern']])
  expect(await rowsOf(api, 'people', ['title', 'do_not_contact', 'notes_text'])).toEqual([
    ['Ada Lovelace', true, 'Met in Bern'],
  ])
  expect(
    await rowsOf(
      api,
      'leads',
      ['title', 'company_name', 'email', 'status', 'owner', 'converted_person', 'created_at'],
      names,
    ),
  ).toEqual([
    ['Bo Beck', 'Beta', 'bo@beta.example', 'working', 'Karla Klein', null, '2024-01-01T08:00:00.000Z'],
    [
      'Ada Lovelace',
      'Acme',
      'ada@acme.example',
      'converted',
      'Karla Klein',
      'Ada Lovelace',
      '2024-01-02T08:00:00.000Z',
    ],
  ])
  expect(await rowsOf(api, 'activities', ['kind', 'at', 'duration', 'outcome', 'body', 'about'])).toEqual([
    ['meeting', '2024-03-04T08:00:00.000Z', 45, 'Kick-off', 'Went well', expect.arrayContaining(['Bo Beck', 'Acme'])],
  ])
  expect(await rowsOf(api, 'notes', ['body', 'about'])).toEqual([
    ['Price\n\nAt most 5 %', ['Acme']],
    ['Call again', ['Bo Beck']],
  ])
})

test('a file of another kind than was chosen keeps its old IDs', async () => {
  const { api } = await company()
  const file_id = await uploaded(
    api,
    'Id,IsDeleted,LastName,FirstName,Company,Status\n00QA1,0,Beck,Bo,Beta,New',
    'Lead.csv',
  )
  const field = { key: 'old_id', label: 'Salesforce ID', type: 'text', is_unique: true } as const
  for (const object of ['people', 'leads']) {
    const before = await api.previewImport({ object, file_id })
    expect(before.old_ids).toEqual({ column: 'Id', field: null })
    await api.createField({ object, ...field })
    const { columns, old_ids } = await api.previewImport({ object, file_id })
    expect([old_ids, columns[0]!.field]).toEqual([{ column: 'Id', field: 'old_id' }, 'old_id'])
  }
})

test('Attio: tasks arrive with their assignees, and places where they belong', async () => {
  const { api, names } = await company()
  const attio = await moveIn(api, {
    'companies.csv':
      'Record ID,Company,Domains,Description,Team,Primary location > City,Primary location > Country code,Employee range,Created at\n1a5b6e0a-3d0c-4f6b-9a38-0c2f6f1f2b22,Acme,acme.example,Machines,Ada Lovelace,Bern,CH,51-250,2023-01-15T09:30:00.000Z',
    'tasks.csv':
      'Task ID,Content,Due date,Completed,Assignees,Linked records,Created at\nd1,Call Ada,2031-11-30,false,Karla Klein,Acme,2024-01-01T09:00:00.000Z\nd2,Send the offer,2024-10-05,true,Karla Klein,Acme,2024-01-02T09:00:00.000Z',
  })
  expect(attio).toMatchObject({
    system: 'Attio',
    objects: ['organizations', 'tasks'],
    lost: { 'companies.csv': ['Description', 'Employee range'], 'tasks.csv': [] },
  })
  expect(await rowsOf(api, 'organizations', ['name', 'city', 'country'])).toEqual([['Acme', 'Bern', 'CH']])
  expect(await rowsOf(api, 'tasks', ['title', 'status', 'assignee', 'about', 'old_id'], names)).toEqual([
    ['Call Ada', 'open', 'Karla Klein', ['Acme'], 'd1'],
    ['Send the offer', 'done', 'Karla Klein', ['Acme'], 'd2'],
  ])
})

test('Twenty: the check asks once who a member is, and notes keep their titles', async () => {
  const { api, names } = await company()
  const member = 'e0000000-0000-4000-8000-000000000001'
  const twenty = {
    'companies.csv': `Id,Name,Domain Name / Link URL,Annual Recurring Revenue / Amount,Annual Recurring Revenue / Currency,Address / Address 1,Address / Post Code,Account Owner Id\n10000000-0000-4000-8000-000000000001,Beta,https://beta.example,500,EUR,Side Street 2,3012,${member}`,
    'tasks.csv': `Id,Title,Body,Due Date,Status,Assignee Id,Creation date\n40000000-0000-4000-8000-000000000001,Deliver,,2031-11-27T09:00:00.000Z,TODO,${member},2024-11-01T08:00:00.000Z`,
    'notes.csv':
      'Id,Title,Body,Creation date\n50000000-0000-4000-8000-000000000001,Visit,Very nice,2024-07-01T08:00:00.000Z',
  }
  const file_ids = await Promise.all(Object.entries(twenty).map(([name, text]) => uploaded(api, text, name)))
  const plan = await api.planMove({ file_ids })
  const asked = plan.files.map(({ object, file_id }) => ({
    object: object!,
    file_id,
    if_missing: 'leave_empty' as const,
  }))
  const check = await finished(api, (await api.startMove({ files: asked, dry_run: true })).job_id)
  // One question for all of them.
  expect(check.result!.files!.flatMap(({ unknown_values = {} }) => Object.values(unknown_values).flat())).toEqual([
    { value: member, rows: 1 },
    { value: member, rows: 1 },
  ])
  const [karla] = names.keys()
  const meant = { [member]: String(karla) }
  const { lost } = await moveIn(api, twenty, {
    values: { 'companies.csv': { 'Account Owner Id': meant }, 'tasks.csv': { 'Assignee Id': meant } },
  })
  expect(lost).toEqual({ 'companies.csv': [], 'tasks.csv': [], 'notes.csv': [] })
  const { records } = await api.queryRecords({ object: 'organizations', filter: 'name = "Beta"' })
  expect(records).toMatchObject([
    { owner: karla, annual_revenue: { amount: '500', currency: 'EUR' }, address: 'Side Street 2\n3012' },
  ])
  expect(await rowsOf(api, 'notes', ['body'])).toEqual([['Visit\n\nVery nice']])
  expect((await rowsOf(api, 'tasks', ['title', 'assignee'], names)).at(-1)).toEqual(['Deliver', 'Karla Klein'])
})

test('Google Contacts and Outlook: a website is no profile, and goes into a field that the company made for it', async () => {
  const { api } = await company()
  const file = (website: string) =>
    `First Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,Website 1 - Value\nAda,Lovelace,Work,ada@acme.example,${website}`
  const fieldOf = async (website: string) =>
    (await api.previewImport({ object: 'people', file_id: await uploaded(api, file(website)) })).columns.at(-1)
  expect(await fieldOf('https://acme.example')).toMatchObject({ field: null, is_lost: true })
  expect(await fieldOf('https://www.linkedin.com/in/ada')).toMatchObject({ field: 'linkedin', is_lost: false })
  await api.createField({ object: 'people', key: 'website', label: 'Website', type: 'url' })
  expect(await fieldOf('https://acme.example')).toMatchObject({ field: 'website', is_lost: false })
  const outlook = await uploaded(
    api,
    'First Name,E-mail Address,Business Phone,Web Page\nBo,bo@beta.example,,https://beta.example',
  )
  const { columns } = await api.previewImport({ object: 'people', file_id: outlook })
  expect(columns.at(-1)).toMatchObject({ field: 'website' })
})
