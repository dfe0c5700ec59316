import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { finished, imported, peopleIn as people, uploaded } from '../../../test/csv.ts'
import type { GivenUser } from '../../../test/given.ts'
import { holdWrites, untilWaiting } from '../../../test/hold.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey, withSession } = kith

async function company() {
  const admin = await given.company()
  const key = await given.key(admin)
  return { admin, key, api: withKey(key) }
}
/** An import of it takes ten steps. */
const manyPeople = `First name\n${Array.from({ length: 2500 }, (_, i) => `P${i}`).join('\n')}`
const refusedWith = (message: RegExp, status = 422) => ({ problem: { status, detail: expect.stringMatching(message) } })

describe('the modes', () => {
  test('update changes the records that it finds, and keeps other values and addresses', async () => {
    const { api } = await company()
    await api.createRecords({
      object: 'people',
      records: [{ first_name: 'Ada', emails: ['ada@a.com', 'ada@b.com'], city: 'Rome', score: 1 }],
    })
    const csv = 'E-mail,City,Score\nADA@b.com,,7\nnobody@c.com,Oslo,1\n,Bonn,2\n'
    const update = { object: 'people', csv, mode: 'update', match_by: 'emails' } as const
    const { job } = await imported(api, update)
    expect(job).toMatchObject({ failed: 2, result: { created: 0, updated: 1 } })
    expect(await people(api, ['emails', 'city', 'score'])).toEqual([[['ada@a.com', 'ada@b.com'], 'Rome', 7]])
    await imported(api, { ...update, empty_cells: 'clear' })
    expect(await people(api, ['city', 'score'])).toEqual([[null, 7]])
  })

  test('update and upsert add to lists, or replace them when asked, and a check shows what would change', async () => {
    const { api } = await company()
    const phones = ['+493012345678']
    await api.createRecords({ object: 'people', records: [{ first_name: 'Ada', emails: ['ada@a.com'], phones }] })
    const csv = 'E-mail,Phones\nada@a.com,+49 30 87654321\n'
    const input = { object: 'people', csv, mode: 'upsert', match_by: 'emails' } as const
    const both = [...phones, '+493087654321']
    const { job: check } = await imported(api, { ...input, dry_run: true })
    expect(check.result).toMatchObject({
      updated: 1,
      changes: [{ line: 2, title: 'Ada', fields: { phones: { from: phones, to: both } } }],
    })
    expect(await people(api, ['phones'])).toEqual([[phones]])
    await imported(api, input)
    expect(await people(api, ['phones'])).toEqual([[both]])
    const { job } = await imported(api, { ...input, mode: 'update', lists: 'replace' })
    expect(await people(api, ['emails', 'phones'])).toEqual([[['ada@a.com'], [both[1]]]])
    expect(job.result).not.toHaveProperty('changes')
    await expect(api.importRecords({ object: 'people', csv, lists: 'add' })).rejects.toMatchObject(
      refusedWith(/lists requires the mode update or upsert/),
    )
  })

  test('update by ID, and rows of the same record one after the other', async () => {
    const { api } = await company()
    const { records } = await api.createRecords({ object: 'people', records: [{ first_name: 'Ada' }] })
    const { id } = records[0]!
    const csv = `Id,City,Score\n${id},Rome,1\n${id},Oslo,\n${id},Oslo,1\nnonsense,X,1\n`
    const { job } = await imported(api, { object: 'people', csv, mode: 'update', match_by: 'id' })
    expect(job).toMatchObject({ failed: 1, result: { updated: 2, unchanged: 1 } })
    expect(await people(api, ['city', 'score'])).toEqual([['Oslo', 1]])
  })

  test('upsert creates what is missing, and a repeated row updates what an earlier one created', async () => {
    const { api } = await company()
    const csv = 'First name,E-mail,Score\nAda,ada@a.com,1\nAda,Ada@A.com,2\nAda,ada@a.com,2\n'
    const { job } = await imported(api, { object: 'people', csv, mode: 'upsert', match_by: 'emails' })
    expect(job).toMatchObject({ failed: 0, result: { created: 1, updated: 1, unchanged: 1 } })
    expect(await people(api, ['emails', 'score'])).toEqual([[['ada@a.com'], 2]])
  })

  test('create reports unique values that exist, all at once', async () => {
    const { api } = await company()
    const rows = Array.from({ length: 600 }, (_, i) => `P${i},p${i}@a.com`).join('\n')
    await imported(api, { object: 'people', csv: `First name,E-mail\n${rows}` })
    const { job } = await imported(api, {
      object: 'people',
      csv: `First name,E-mail\n${rows}\nNew,new@a.com\nAgain,new@a.com\n`,
    })
    expect(job).toMatchObject({ done: 602, failed: 601, result: { created: 1 } })
    expect(job.problems[0]!.message).toMatch(/p0@a.com is already used by P0/)
  })

  test('create assigns tasks to the importing user, unless a column says who has them', async () => {
    const { admin, api } = await company()
    await imported(api, { object: 'tasks', csv: 'Title\nMine\n' })
    await imported(api, { object: 'tasks', csv: 'Title,Assignee\nNobody,\nAlso mine,Ada Admin\n' })
    const { records } = await api.queryRecords({ object: 'tasks', fields: ['title', 'assignee'], sort: ['title'] })
    expect(records.map(({ title, assignee }) => [title, assignee])).toEqual([
      ['Also mine', admin.user_id],
      ['Mine', admin.user_id],
      ['Nobody', null],
    ])
  })

  test('refuse settings that cannot work', async () => {
    const { api } = await company()
    const csv = 'First name,E-mail\nAda,a@b.com\n'
    const send = (more: object) => api.importRecords({ object: 'people', csv, ...more } as never)
    await expect(send({ mode: 'update' })).rejects.toMatchObject(refusedWith(/needs match_by.*emails/))
    await expect(send({ mode: 'update', match_by: 'first_name' })).rejects.toMatchObject(
      refusedWith(/not a unique field/),
    )
    await expect(send({ mode: 'upsert', match_by: 'id' })).rejects.toMatchObject(refusedWith(/Map a column to id/))
    await expect(send({ match_by: 'emails' })).rejects.toMatchObject(refusedWith(/requires the mode update or upsert/))
    await expect(send({ mapping: { 'E-mial': 'emails' } })).rejects.toMatchObject(
      refusedWith(/no column E-mial.*E-mail/),
    )
    await expect(send({ mapping: { 'E-mail': 'mails' } })).rejects.toMatchObject(refusedWith(/emails/))
    await expect(send({ mapping: { 'First name': null, 'E-mail': null } })).rejects.toMatchObject(
      refusedWith(/at least one column/),
    )
    const twice = { 'First name': 'id', 'E-mail': 'id' }
    await expect(send({ mapping: twice, mode: 'update', match_by: 'id' })).rejects.toMatchObject(
      refusedWith(/Several columns/),
    )
    await expect(send({ mapping: { 'E-mail': 'about.people' } })).rejects.toMatchObject(refusedWith(/no about.people/))
    await expect(send({ csv: 'First name,Shoe size\nAda,40\n' })).rejects.toMatchObject(refusedWith(/Shoe size/))
    await expect(send({ csv: undefined })).rejects.toMatchObject(refusedWith(/either file_id or csv/))
    await expect(send({ csv: '' })).rejects.toMatchObject(refusedWith(/is empty/))
  })
})

describe('rights', () => {
  test('decide which records an import may create and change', async () => {
    const { admin, api } = await company()
    await api.createRecords({ object: 'people', records: [{ first_name: 'Ada', emails: ['ada@a.com'] }] })
    const boss = withSession(await given.session(admin))
    const records = {
      '*': { ...everything, edit: 'own' as const },
      organizations: { read: 'all', create: false, edit: 'none', delete: 'none' } as const,
    }
    const { name: role } = await boss.createRole({ name: 'Edits own', records })
    const sam = withKey(await given.key(await given.user(admin, { name: 'Sam', role })))
    const csv = 'First name,E-mail,Company,Status\nX,ada@a.com,,\nY,y@a.com,,\nZ,z@a.com,New Co,\nW,w@a.com,,New one\n'
    const { job } = await imported(sam, {
      object: 'people',
      csv,
      mode: 'upsert',
      match_by: 'emails',
      if_missing: 'create',
    })
    expect(job).toMatchObject({ failed: 3, result: { created: 1, updated: 0 } })
    expect(job.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/does not let you change/),
      expect.stringMatching(/does not let you create/),
      expect.stringMatching(/no option New one/),
    ])
    await expect(sam.importRecords({ object: 'organizations', csv: 'Name\nX\n' })).rejects.toMatchObject({
      problem: { status: 403 },
    })
  })

  test('that are removed in the middle stop it; what was imported stays and can be undone', async () => {
    const { admin, api } = await company()
    const max = await given.user(admin)
    const member = withKey(await given.key(max))
    const secondStep = await holdWrites(kith.owner, 'jobs', `new.created_by = '${max.user_id}' and new.done > 250`)
    const { job_id } = await member.importRecords({ object: 'people', file_id: await uploaded(member, manyPeople) })
    await secondStep.reached()
    await api.deactivateUser({ id: max.user_id, reassign_to: admin.user_id })
    await secondStep.release()
    const job = await finished(api, job_id)
    expect(job).toMatchObject({ state: 'failed', message: expect.stringMatching(/can no longer sign in/), done: 500 })
    expect((await api.countRecords({ object: 'people', is_exact: true })).count).toBe(job.done)
  })

  test('of others and of other companies do not reach a file', async () => {
    const { admin, api } = await company()
    const file_id = await uploaded(api, 'First name\nAda\n')
    const stranger = (await company()).api
    const colleague = withKey(await given.key(await given.user(admin)))
    for (const other of [stranger, colleague]) {
      await expect(other.previewImport({ object: 'people', file_id })).toBeRefused(422)
      await expect(other.importRecords({ object: 'people', file_id })).toBeRefused(422)
    }
  })
})

/** Cancels a job between its second step and the next, or one of the many that follow. */
async function cancelledAmid(api: Api, { company_id }: GivenUser, kind: string, start: () => Promise<string>) {
  const secondStep = await holdWrites(
    kith.owner,
    'jobs',
    `new.company_id = '${company_id}' and new.kind = '${kind}' and new.done > 250`,
  )
  const id = await start()
  await secondStep.reached()
  // The step has locked the job.
  const cancelled = api.cancelJob({ id })
  await untilWaiting(kith.connection, 'update "jobs"')
  await secondStep.release()
  await cancelled
  return finished(api, id)
}

test('an import that is cancelled keeps what it has done, which can be undone', async () => {
  const { admin, api } = await company()
  const file_id = await uploaded(api, manyPeople)
  const job = await cancelledAmid(api, admin, 'import', async () => {
    const { job_id } = await api.importRecords({ object: 'people', file_id })
    return job_id
  })
  expect(job.state).toBe('cancelled')
  expect((await api.countRecords({ object: 'people', is_exact: true })).count).toBe(job.done)
  const { rows: files } = await sql<{ expires_at: Date }>`select expires_at from files where id = ${file_id}`.execute(
    kith.db,
  )
  expect(files[0]!.expires_at.getTime() - kith.time.now.getTime()).toBe(7 * 24 * 60 * 60 * 1000)
})

test('an undo of an import that is cancelled leaves it partly undone, and the rest can be undone', async () => {
  const { admin, api } = await company()
  const { job } = await imported(api, { object: 'people', file_id: await uploaded(api, manyPeople) })
  const undo = async () => (await api.undoChanges({ change_set_ids: [job.change_set_id] })).job_id!
  const first = await cancelledAmid(api, admin, 'undo', undo)
  expect(first.state).toBe('cancelled')
  expect(await api.getJob({ id: job.id })).toMatchObject({ state: 'done', is_partly_undone: true, can_undo: true })
  const { failed, changed } = await finished(api, await undo())
  expect(failed).toBe(0)
  expect(changed).toBeLessThan(2500)
  expect(await api.getJob({ id: job.id })).toMatchObject({ state: 'undone', is_partly_undone: false, can_undo: false })
  expect((await api.countRecords({ object: 'people', is_exact: true })).count).toBe(0)
})

test('lost reasons and sources of a file that are no options yet become options, also for members', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(await kith.given.user(admin)))
  const csv = 'Name,Stage,Lost reason,Source\nRoof,Lost,Too slow,Trade fair\nWall,Lost,price,'
  const { job_id } = await api.importRecords({ object: 'deals', csv, dry_run: true })
  expect((await api.getJob({ id: job_id! })).result, 'from the beginning').toMatchObject({ dry_run: true })
  const checked = await imported(api, { object: 'deals', csv, dry_run: true })
  expect(checked.job).toMatchObject({
    failed: 0,
    result: { created: 2, options_created: { lost_reason: 1, source: 1 } },
  })
  const { job } = await imported(api, { object: 'deals', csv })
  expect(job).toMatchObject({ failed: 0, result: { created: 2 } })
  const { records } = await api.queryRecords({ object: 'deals', sort: ['name'] })
  expect(records).toMatchObject([{ lost_reason: 'too_slow', source: 'trade_fair' }, { lost_reason: 'price' }])
})
