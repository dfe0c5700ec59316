// What happened elsewhere keeps its time, its author and what it was about.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { imported, uploaded } from '../../../test/csv.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)

async function company() {
  const admin = await kith.given.company()
  return { admin, api: kith.withKey(await kith.given.key(admin)) }
}
type Api = Awaited<ReturnType<typeof company>>['api']

const all = async (api: Api, object: string, fields: string[]) =>
  (await api.queryRecords({ object, limit: 100, sort: ['created_at', 'id'] })).records.map((record) =>
    fields.map((field) => record[field] ?? null),
  )
const ids = async (api: Api, object: string, records: object[]) =>
  (await api.createRecords({ object, records: records as never })).records.map(({ id }) => id)

describe('tasks', () => {
  test('keep when they were completed, which is the last activity of what they are about', async () => {
    const { api, admin } = await company()
    await ids(api, 'people', [{ last_name: 'Ada' }, { last_name: 'Bob' }, { last_name: 'Cleo' }])
    const csv = [
      'Title,Status,Due date,Marked as done time,Contact person',
      'A,Completed,2024-02-01,2024-02-03 10:00:00,Ada',
      'B,Completed,2024-02-01,,Bob',
      'C,,,2024-03-01T09:30:00Z,Cleo',
      'D,Not started,,2024-03-01T09:30:00Z,',
    ].join('\n')
    const { columns } = await api.previewImport({ object: 'tasks', csv })
    expect(columns.map(({ field }) => field)).toEqual(['title', 'status', 'due_at', 'completed_at', 'about.people'])
    const { job } = await imported(api, { object: 'tasks', csv })
    expect(job.problems).toEqual([])
    expect(await all(api, 'tasks', ['title', 'status', 'completed_at'])).toEqual([
      ['A', 'done', '2024-02-03T10:00:00.000Z'],
      ['B', 'done', '2024-02-01T00:00:00.000Z'],
      ['C', 'done', '2024-03-01T09:30:00.000Z'],
      ['D', 'open', null],
    ])
    expect(await all(api, 'people', ['last_name', 'last_activity_at'])).toEqual([
      ['Ada', '2024-02-03T10:00:00.000Z'],
      ['Bob', '2024-02-01T00:00:00.000Z'],
      ['Cleo', '2024-03-01T09:30:00.000Z'],
    ])
    const member = kith.withKey(await kith.given.key(await kith.given.user(admin)))
    const refused = member.importRecords({
      object: 'tasks',
      csv: 'Title,Done\nA,2024-01-01',
      mapping: { Done: 'completed_at' },
    })
    await expect(refused).rejects.toMatchObject({ problem: { detail: expect.stringMatching(/Only an Admin/) } })
  })

  test('are done if a column says only whether, and a time in the future is reported', async () => {
    const { api } = await company()
    const csv = 'Title,Completed\nA,true\nB,false\nC,2099-01-01\n'
    const { job } = await imported(api, { object: 'tasks', csv, on_invalid: 'leave_out' })
    expect(job.problems).toMatchObject([
      { line: 4, is_note: true, message: expect.stringMatching(/^Completed: “2099/) },
    ])
    expect(await all(api, 'tasks', ['title', 'status'])).toEqual([
      ['A', 'done'],
      ['B', 'open'],
      ['C', 'open'],
    ])
  })

  test('are due at the time that has a column of its own', async () => {
    const { api } = await company()
    const csv = [
      'Title,Due date,Due time',
      'A,2031-12-05,15:00',
      'B,2031-12-01,',
      'C,2031-12-01,2:30 PM',
      'D,,09:00',
      'E,2031-12-01,noon',
    ].join('\n')
    const { columns } = await api.previewImport({ object: 'tasks', csv: csv.split('\n').slice(0, 4).join('\n') })
    expect(columns.map(({ field }) => field)).toEqual(['title', 'due_at', 'due_at.time'])
    const mapping = { 'Due date': 'due_at', 'Due time': 'due_at.time' }
    const { job } = await imported(api, { object: 'tasks', csv, mapping, on_invalid: 'leave_out' })
    expect(await all(api, 'tasks', ['due_at'])).toEqual([
      ['2031-12-05T15:00:00.000Z'],
      ['2031-12-01T00:00:00.000Z'],
      ['2031-12-01T14:30:00.000Z'],
      [null],
      ['2031-12-01T00:00:00.000Z'],
    ])
    expect(job.problems.map(({ line, message }) => [line, message])).toEqual([
      [5, 'Due time: “09:00” was left out. This time has no date'],
      [6, 'Due time: “noon” was left out. Use a time of day such as 14:30'],
    ])
    const alone = api.importRecords({ object: 'tasks', csv: 'Title,T\nA,1', mapping: { T: 'due_at.time' } })
    await expect(alone).rejects.toMatchObject({ problem: { detail: expect.stringMatching(/Map the dates to due_at/) } })
  })
})

describe('activities', () => {
  test('last as long as their duration says, and are at the time of their creation if they have no other', async () => {
    const { api } = await company()
    await ids(api, 'people', [{ last_name: 'Ada' }])
    const csv =
      'Kind,At,Duration (minutes),Add time,Person\nCall,,01:30,2024-03-01 10:00:00,Ada\nCall,2024-02-02,15,,\n'
    const { job } = await imported(api, { object: 'activities', csv })
    expect(job.problems).toEqual([])
    expect(await all(api, 'activities', ['at', 'duration'])).toEqual([
      ['2024-03-01T10:00:00.000Z', 90],
      ['2024-02-02T00:00:00.000Z', 15],
    ])
  })
})

describe('notes', () => {
  test('are about the one of two namesakes who belongs to the organization or the deal of the row', async () => {
    const { api } = await company()
    const [acme, globex] = await ids(api, 'organizations', [{ name: 'Acme' }, { name: 'Globex' }])
    const [first, second] = await ids(api, 'people', [
      { first_name: 'Anna', last_name: 'Müller', organization: acme },
      { first_name: 'Anna', last_name: 'Müller', organization: globex },
    ])
    await ids(api, 'deals', [{ name: 'Rollout', people: [first] }])
    const csv = [
      'Content,Person,Organization,Deal',
      'By organization,Anna Müller,Globex,',
      'By deal,Anna Müller,,Rollout',
      'Unclear,Anna Müller,,',
    ].join('\n')
    const { job } = await imported(api, { object: 'notes', csv, if_missing: 'leave_empty' })
    expect(job.problems.map(({ line }) => line)).toEqual([4])
    const about = (await all(api, 'notes', ['about'])).map(([list]) =>
      ((list ?? []) as { id: string }[]).map(({ id }) => id),
    )
    expect(about.map((some) => [some.includes(first!), some.includes(second!)])).toEqual([
      [false, true],
      [true, false],
      [false, false],
    ])
  })

  test('keep no author rather than a wrong one if theirs has no account, and say who it was', async () => {
    const { api, admin } = await company()
    const csv = 'Content,User,Add time\nA,Jürgen Weiß,2024-01-01\nB,Ada Admin,2024-01-01\nC,,2024-01-01\n'
    const { job } = await imported(api, { object: 'notes', csv })
    expect(job.problems).toMatchObject([
      { line: 2, is_note: true, message: 'User: there is no user Jürgen Weiß, so it was left out' },
    ])
    expect(await all(api, 'notes', ['body', 'created_by'])).toEqual([
      ['A', null],
      ['B', admin.user_id],
      ['C', null],
    ])
  })

  test('have the formatting that their HTML had, and other texts none of its tags', async () => {
    const { api } = await company()
    const html = '<p>Entscheider ist <b>Herr Müller</b>.<br>Dann: Angebot</p>'
    await imported(api, { object: 'notes', csv: `Content\n${html}\na < b\n` })
    expect(await all(api, 'notes', ['body', 'title'])).toEqual([
      ['Entscheider ist **Herr Müller**.\nDann: Angebot', 'Entscheider ist Herr Müller.'],
      ['a < b', 'a < b'],
    ])
    const file_id = await uploaded(api, `Kind,Outcome,Body\nCall,<p>Good</p>,${html}\n`)
    await imported(api, { object: 'activities', file_id })
    expect(await all(api, 'activities', ['outcome', 'body'])).toEqual([
      ['Good', 'Entscheider ist Herr Müller.\nDann: Angebot'],
    ])
  })
})

test('labels that Google gives to everyone become no tags', async () => {
  const { api } = await company()
  const csv = 'First name,Tags\nAda,myContacts;Kunden\nBob,* myContacts ::: VIP\nCleo,* otherContacts\n'
  await imported(api, { object: 'people', csv, if_missing: 'create' })
  expect(await all(api, 'people', ['tags'])).toEqual([[['kunden']], [['vip']], [null]])
})
