// Exports of seven products, moved in as the wizard does it: with the fields that it suggests, and the IDs kept.
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { moveIn, rowsOf } from '../../../test/move-in.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey } = kith
type Api = ReturnType<typeof withKey>

const names = new Map<unknown, string>()

async function company() {
  const admin = await given.company()
  const { email, user_id } = await given.user(admin, { name: 'Karla Klein' })
  names.set(user_id, 'Karla Klein')
  return { api: withKey(await given.key(admin)), karla: email }
}

const all = (api: Api, object: string, fields: string[]) => rowsOf(api, object, fields, names)

test('Pipedrive: prefixes, statuses, currencies, activities and notes arrive', async () => {
  const { api } = await company()
  const { system, left, job } = await moveIn(api, {
    'deals-8410.csv': `Deal - ID,Deal - Title,Deal - Value,Deal - Currency of Value,Deal - Organization,Deal - Organization ID,Deal - Contact person,Deal - Contact person ID,Deal - Pipeline,Deal - Stage,Deal - Status,Deal - Owner,Deal - Deal created,Deal - Won time,Deal - Lost time,Deal - Lost reason,Deal - Expected close date
1,Rollout,12000,CHF,Acme,10,Ada Lovelace,20,Sales,Negotiation,Won,Karla Klein,2024-01-31 10:00:00,2024-03-01 12:00:00,,,2024-03-31
2,Pilot,500,EUR,Acme,11,Ada Lovelace,21,Sales,Proposal,Lost,Karla Klein,2024-02-01 10:00:00,,2024-04-01 09:30:00,Too expensive,`,
    'people-8410.csv': `Person - ID,Person - Name,Person - Email - Work,Person - Email - Home,Person - Phone - Work,Person - Organization,Person - Organization ID,Person - Owner,Person - Person created,Person - Labels
20,Ada Lovelace,ada@acme.example,ada@home.example,+41 44 668 18 00,Acme,10,Karla Klein,2023-05-06 07:08:09,vip
21,Ada Lovelace,ada@other.example,,,Acme,11,,2023-05-07 07:08:09,`,
    'organizations-8410.csv': `Organization - ID,Organization - Name,Organization - Address,Organization - Owner,Organization - Organization created
10,Acme,"Main Street 1, Bern",Karla Klein,2022-01-01 00:00:00
11,Acme,,,2022-01-02 00:00:00`,
    'activities-8410.csv': `Activity - ID,Activity - Type,Activity - Subject,Activity - Due date,Activity - Deal,Activity - Deal ID,Activity - Contact person,Activity - Note
7,Call,Intro call,2024-02-03 14:30:00,Rollout,1,Ada Lovelace,Went well`,
    'notes-8410.csv': `ID,Content,Deal,Deal ID,Organization,Person,User,Add time
5,They want a demo,Pilot,2,,,Karla Klein,2024-02-05 08:00:00`,
  })
  expect(system).toBe('Pipedrive')
  expect(job.result!.files!.map(({ object }) => object).at(0)).toBe('organizations')
  const deals = await all(api, 'deals', [
    'name',
    'amount',
    'organization',
    'people',
    'status',
    'owner',
    'created_at',
    'closed_at',
    'lost_reason',
    'expected_close',
  ])
  expect(deals).toEqual([
    [
      'Rollout',
      { amount: '12000', currency: 'CHF' },
      'Acme',
      ['Ada Lovelace'],
      'won',
      'Karla Klein',
      '2024-01-31T10:00:00.000Z',
      '2024-03-01T12:00:00.000Z',
      null,
      '2024-03-31',
    ],
    [
      'Pilot',
      { amount: '500', currency: 'EUR' },
      'Acme',
      ['Ada Lovelace'],
      'lost',
      'Karla Klein',
      '2024-02-01T10:00:00.000Z',
      '2024-04-01T09:30:00.000Z',
      'too_expensive',
      null,
    ],
  ])
  const { records } = await api.queryRecords({
    object: 'deals',
    filter: 'organization.old_id = "11" and any(people: emails = "ada@other.example")',
  })
  expect(records.map(({ name }) => name)).toEqual(['Pilot'])
  expect(await all(api, 'activities', ['kind', 'at', 'about', 'people', 'outcome', 'body'])).toEqual([
    ['call', '2024-02-03T14:30:00.000Z', ['Rollout'], ['Ada Lovelace'], 'Intro call', 'Went well'],
  ])
  expect(await all(api, 'notes', ['body', 'about', 'created_at', 'created_by'])).toEqual([
    ['They want a demo', ['Pilot'], '2024-02-05T08:00:00.000Z', 'Karla Klein'],
  ])
  expect(left).toEqual({
    'organizations-8410.csv': [],
    'people-8410.csv': ['Person - Organization'],
    'deals-8410.csv': ['Deal - Organization', 'Deal - Contact person'],
    'activities-8410.csv': ['Activity - Deal'],
    'notes-8410.csv': ['Deal'],
  })
})

test('HubSpot: associations by ID and address, owners and stages arrive', async () => {
  const { api, karla } = await company()
  const { system, left } = await moveIn(api, {
    'all-deals.csv': `Record ID,Deal Name,Deal Stage,Close Date,Deal owner,Amount,Create Date,Associated Contact,Associated Contact IDs,Associated Company,Associated Company IDs,Associated Company (Primary),Associated Company IDs (Primary)
900,Rollout,Negotiation,2024-06-30 00:00,${karla},1200,2024-01-15 09:30,Ada Lovelace (ada@acme.example);Bo Beck (bo@acme.example),51;52,Acme;Beta,70;71,Acme,70
901,Old deal,Closed Won,2024-07-07 17:03,${karla},80,2024-01-16 09:30,,,,,,`,
    'all-contacts.csv': `Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Create Date,Associated Company,Associated Company IDs,Job Title
51,Ada,Lovelace,ada@acme.example,+41 44 668 18 00,${karla},2023-01-15 09:30,Acme,70,CTO
52,Bo,Beck,bo@acme.example,,,2023-02-15 09:30,Acme,70,`,
    'all-companies.csv': `Record ID,Company name,Company owner,Create Date,Phone Number,City,Country/Region,Industry,Company Domain Name
70,Acme,${karla},2022-01-15 09:30,,Bern,Switzerland,Machinery,acme.example
71,Beta,,2022-01-16 09:30,,,,,beta.example`,
  })
  expect(system).toBe('HubSpot')
  expect(
    await all(api, 'deals', [
      'name',
      'amount',
      'organization',
      'people',
      'stage',
      'owner',
      'created_at',
      'expected_close',
    ]),
  ).toEqual([
    [
      'Rollout',
      { amount: '1200', currency: 'USD' },
      'Acme',
      ['Ada Lovelace', 'Bo Beck'],
      'negotiation',
      'Karla Klein',
      '2024-01-15T09:30:00.000Z',
      '2024-06-30',
    ],
    [
      'Old deal',
      { amount: '80', currency: 'USD' },
      null,
      null,
      'won',
      'Karla Klein',
      '2024-01-16T09:30:00.000Z',
      '2024-07-07',
    ],
  ])
  expect(await all(api, 'people', ['title', 'organization', 'owner', 'job_title', 'created_at'])).toEqual([
    ['Ada Lovelace', 'Acme', 'Karla Klein', 'CTO', '2023-01-15T09:30:00.000Z'],
    ['Bo Beck', 'Acme', null, null, '2023-02-15T09:30:00.000Z'],
  ])
  expect(await all(api, 'organizations', ['name', 'domains', 'owner', 'country'])).toEqual([
    ['Acme', ['acme.example'], 'Karla Klein', 'CH'],
    ['Beta', ['beta.example'], null, null],
  ])
  expect(left).toEqual({
    'all-companies.csv': [],
    'all-contacts.csv': ['Associated Company'],
    'all-deals.csv': [
      'Associated Contact',
      'Associated Company',
      'Associated Company IDs',
      'Associated Company (Primary)',
    ],
  })
})

test('Salesforce: files that name each other by ID only are linked, and users are asked for', async () => {
  const { api, karla } = await company()
  const files = {
    'User.csv': `Id,Username,LastName,FirstName,Email,ProfileId,IsActive
005A0001,karla.admin,Klein,Karla,${karla},00e1,true`,
    'Account.csv': `Id,IsDeleted,Name,ParentId,BillingStreet,BillingCity,BillingCountry,Phone,Website,Industry,NumberOfEmployees,OwnerId,CreatedDate,CreatedById,SystemModstamp
001A0001,false,Acme,,Main Street 1,Bern,Switzerland,,https://acme.example,Machinery,120,005A0001,2022-01-15T09:30:00.000Z,005A0001,2024-01-15T09:30:00.000Z
001A0002,false,Acme Labs,001A0001,,,,,,,,005A0001,2022-01-16T09:30:00.000Z,005A0001,2024-01-15T09:30:00.000Z`,
    'Contact.csv': `Id,IsDeleted,AccountId,LastName,FirstName,MailingCity,Phone,MobilePhone,Email,Title,OwnerId,CreatedDate,SystemModstamp
003A0001,false,001A0002,Lovelace,Ada,Bern,,+41 79 668 18 00,ada@acme.example,CTO,005A0001,2023-01-15T09:30:00.000Z,2024-01-15T09:30:00.000Z`,
    'Opportunity.csv': `Id,IsDeleted,AccountId,Name,StageName,Amount,Probability,CloseDate,LeadSource,IsClosed,IsWon,OwnerId,CreatedDate,ContactId,SystemModstamp
006A0001,false,001A0002,Rollout,Closed Won,1200.00,100,2024-06-30,Referral,true,true,005A0001,2024-01-15T09:30:00.000Z,003A0001,2024-01-15T09:30:00.000Z
006A0002,false,001A0001,Pilot,Prospecting,,10,2024-09-30,,false,false,005A0001,2024-01-16T09:30:00.000Z,,2024-01-15T09:30:00.000Z`,
    'Task.csv': `Id,IsDeleted,WhoId,WhatId,Subject,ActivityDate,Status,Priority,OwnerId,Description,CreatedDate,SystemModstamp
00TA0001,false,003A0001,006A0001,Send the offer,2024-02-01,Completed,High,005A0001,With the discount,2024-01-20T09:30:00.000Z,2024-01-20T09:30:00.000Z`,
  }
  const { system, left } = await moveIn(api, files, {
    values: { 'Opportunity.csv': { StageName: { Prospecting: 'Qualified' } } },
  })
  expect(system).toBe('Salesforce')
  expect(
    await all(api, 'deals', ['name', 'organization', 'people', 'stage', 'owner', 'expected_close', 'created_at']),
  ).toEqual([
    ['Rollout', 'Acme Labs', ['Ada Lovelace'], 'won', 'Karla Klein', '2024-06-30', '2024-01-15T09:30:00.000Z'],
    ['Pilot', 'Acme', null, 'qualified', 'Karla Klein', '2024-09-30', '2024-01-16T09:30:00.000Z'],
  ])
  expect(await all(api, 'organizations', ['name', 'parent', 'city', 'country', 'size', 'owner'])).toEqual([
    ['Acme', null, 'Bern', 'CH', 120, 'Karla Klein'],
    ['Acme Labs', 'Acme', null, null, null, 'Karla Klein'],
  ])
  expect(await all(api, 'tasks', ['title', 'about', 'status', 'assignee', 'body', 'due_at'])).toEqual([
    [
      'Send the offer',
      ['Ada Lovelace', 'Rollout'],
      'done',
      'Karla Klein',
      'With the discount',
      '2024-02-01T00:00:00.000Z',
    ],
  ])
  expect(left).toEqual({
    'Account.csv': ['SystemModstamp'],
    'Contact.csv': ['SystemModstamp'],
    'Opportunity.csv': ['IsClosed', 'IsWon', 'SystemModstamp'],
    'Task.csv': ['SystemModstamp'],
  })
})

test('Attio: people and companies are linked by name, with their addresses and domains', async () => {
  const { api } = await company()
  const { system, left } = await moveIn(api, {
    'People.csv': `Record ID,Record,Email addresses,Phone numbers,Company,Job title,Description,Created at
8f1b6e0a-3d0c-4f6b-9a38-0c2f6f1f2b11,Ada Lovelace,"ada@acme.example, ada@home.example",+41446681800,Acme,CTO,Met in Bern,2024-01-15T09:30:00.000Z`,
    'Companies.csv': `Record ID,Record,Domains,Description,Categories,Created at
1a5b6e0a-3d0c-4f6b-9a38-0c2f6f1f2b22,Acme,"acme.example, acme.test",Machines,"B2B, Manufacturing",2023-01-15T09:30:00.000Z`,
    'Deals.csv': `Record ID,Record,Deal stage,Deal owner,Deal value,Associated people,Associated company,Created at
3c5b6e0a-3d0c-4f6b-9a38-0c2f6f1f2b33,Rollout,Proposal,Karla Klein,1200,Ada Lovelace,Acme,2024-02-15T09:30:00.000Z`,
  })
  expect(system).toBe('Attio')
  expect(await all(api, 'people', ['title', 'emails', 'organization', 'job_title', 'created_at'])).toEqual([
    ['Ada Lovelace', ['ada@acme.example', 'ada@home.example'], 'Acme', 'CTO', '2024-01-15T09:30:00.000Z'],
  ])
  expect(await all(api, 'organizations', ['name', 'domains', 'tags'])).toEqual([
    ['Acme', ['acme.example', 'acme.test'], ['b2b', 'manufacturing']],
  ])
  expect(await all(api, 'deals', ['name', 'stage', 'owner', 'amount', 'people', 'organization'])).toEqual([
    ['Rollout', 'proposal', 'Karla Klein', { amount: '1200', currency: 'USD' }, ['Ada Lovelace'], 'Acme'],
  ])
  expect(left).toEqual({ 'Companies.csv': ['Description'], 'People.csv': [], 'Deals.csv': [] })
})

test('Twenty: IDs that look like ours, composite columns and links by ID arrive', async () => {
  const { api } = await company()
  const [acme, ada, rollout] = [
    '20202020-0a1b-4c5d-8e9f-000000000001',
    '20202020-0a1b-4c5d-8e9f-000000000002',
    '20202020-0a1b-4c5d-8e9f-000000000003',
  ]
  const { system, left } = await moveIn(api, {
    'opportunities.csv': `Id,Name,Amount / Amount,Amount / Currency,Close date,Stage,Company Id,Point of Contact Id,Creation date
${rollout},Rollout,1200,USD,2024-06-30T00:00:00.000Z,PROPOSAL,${acme},${ada},2024-01-15T09:30:00.000Z`,
    'people.csv': `Id,Name / First Name,Name / Last Name,Emails / Primary Email,Emails / Additional Emails,Company Id,Phones / Primary Phone Number,Phones / Primary Phone Country Code,Phones / Primary Phone Calling Code,Job Title,City,Linkedin / Link Label,Linkedin / Link URL,Creation date
${ada},Ada,Lovelace,ada@acme.example,"[""ada@home.example""]",${acme},,,,CTO,Bern,,https://www.linkedin.com/in/ada,2023-01-15T09:30:00.000Z`,
    'companies.csv': `Id,Name,Domain Name / Link Label,Domain Name / Link URL,Employees,Address / Address 1,Address / City,Address / Country,Account Owner Id,Creation date
${acme},Acme,,https://acme.example,120,Main Street 1,Bern,Switzerland,,2022-01-15T09:30:00.000Z`,
  })
  expect(system).toBe('Twenty')
  expect(
    await all(api, 'people', ['title', 'emails', 'organization', 'job_title', 'city', 'linkedin', 'old_id']),
  ).toEqual([
    [
      'Ada Lovelace',
      ['ada@acme.example', 'ada@home.example'],
      'Acme',
      'CTO',
      'Bern',
      'https://www.linkedin.com/in/ada',
      ada,
    ],
  ])
  expect(await all(api, 'organizations', ['name', 'domains', 'size', 'address', 'city', 'country'])).toEqual([
    ['Acme', ['acme.example'], 120, 'Main Street 1', 'Bern', 'CH'],
  ])
  expect(
    await all(api, 'deals', ['name', 'amount', 'expected_close', 'stage', 'organization', 'people', 'created_at']),
  ).toEqual([
    [
      'Rollout',
      { amount: '1200', currency: 'USD' },
      '2024-06-30',
      'proposal',
      'Acme',
      ['Ada Lovelace'],
      '2024-01-15T09:30:00.000Z',
    ],
  ])
  expect(left).toEqual({
    'companies.csv': ['Domain Name / Link Label'],
    'people.csv': [
      'Phones / Primary Phone Country Code',
      'Phones / Primary Phone Calling Code',
      'Linkedin / Link Label',
    ],
    'opportunities.csv': [],
  })
})

test('Google Contacts and Outlook: people arrive with their organizations', async () => {
  const { api } = await company()
  const google = await moveIn(api, {
    'contacts.csv': `First Name,Middle Name,Last Name,Organization Name,Organization Title,Birthday,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - City,Website 1 - Value
Ada,,Lovelace,Acme,CTO,1815-12-10,Met in Bern,* myContacts ::: vip,* Work,ada@acme.example ::: ada@home.example,Mobile,+41 79 668 18 00,Bern,https://acme.example`,
  })
  expect(google).toMatchObject({ system: 'Google Contacts', objects: ['people'] })
  const outlook = await moveIn(api, {
    'outlook.csv': `First Name,Middle Name,Last Name,Title,Suffix,E-mail Address,E-mail 2 Address,Business Phone,Mobile Phone,Company,Job Title,Business Street,Business City,Business Country/Region,Notes,Birthday
Bo,,Beck,,,bo@beta.example,,,+41 79 668 18 01,Beta,Buyer,Side Street 2,Basel,Switzerland,,`,
  })
  expect(outlook).toMatchObject({ system: 'Outlook', objects: ['people'] })
  expect(await all(api, 'people', ['title', 'emails', 'phones', 'organization', 'job_title', 'city'])).toEqual([
    ['Ada Lovelace', ['ada@acme.example', 'ada@home.example'], ['+41796681800'], 'Acme', 'CTO', 'Bern'],
    ['Bo Beck', ['bo@beta.example'], ['+41796681801'], 'Beta', 'Buyer', 'Basel'],
  ])
  expect({ ...google.left, ...outlook.left }).toEqual({
    'contacts.csv': ['E-mail 1 - Label', 'Phone 1 - Label', 'Website 1 - Value'],
    'outlook.csv': ['Title', 'Suffix', 'Business Street'],
  })
})
