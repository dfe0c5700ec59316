// What has happened since a change decides how much of it can be undone.
import { describe, expect, test } from 'vitest'
import { everything } from '../../../../contract/shared/access.ts'
import { testApp } from '../../../../test/app.ts'

const kith = await testApp()

async function team() {
  const admin = await kith.given.company()
  const member = await kith.given.user(admin)
  return {
    admin,
    member,
    asAdmin: kith.withKey(await kith.given.key(admin)),
    asMember: kith.withKey(await kith.given.key(member)),
  }
}
type Api = Awaited<ReturnType<typeof team>>['asAdmin']

async function create(api: Api, object: string, values: Record<string, unknown>) {
  const { records, change_set_id } = await api.createRecords({ object, records: [values] })
  return { id: records[0]!.id, change_set_id: change_set_id! }
}
const update = (api: Api, object: string, id: string, values: Record<string, unknown>) =>
  api.updateRecords({ object, records: [{ id, values }] })

describe('undoing a create', () => {
  test('keeps a record that someone else has changed since and reports it, also in a dry run', async () => {
    const { asAdmin, asMember } = await team()
    const { id, change_set_id } = await create(asMember, 'people', { last_name: 'Lovelace' })
    await update(asAdmin, 'people', id, { score: 5, city: 'London' })
    for (const dry_run of [true, false]) {
      const answer = await asMember.undoChanges({ change_set_ids: [change_set_id], dry_run })
      expect(answer).toMatchObject({
        undone: 0,
        left: [{ record_id: id, field: null, reason: 'It was changed later' }],
      })
    }
    expect(await asAdmin.getRecord({ object: 'people', id })).toMatchObject({ score: 5 })
  })

  test('keeps a record that someone else’s record now links to, unless that is undone too', async () => {
    const { asAdmin, asMember } = await team()
    const acme = await create(asMember, 'organizations', { name: 'Acme' })
    const person = await create(asAdmin, 'people', { last_name: 'Lovelace', organization: 'Acme' })
    for (const dry_run of [true, false]) {
      const answer = await asMember.undoChanges({ change_set_ids: [acme.change_set_id], dry_run })
      expect(answer).toMatchObject({
        undone: 0,
        left: [{ record_id: acme.id, field: null, reason: 'Other records link to it now' }],
      })
    }
    expect(await asAdmin.getRecord({ object: 'people', id: person.id })).toMatchObject({
      organization: { title: 'Acme' },
    })
    const both = await asAdmin.undoChanges({ change_set_ids: [acme.change_set_id, person.change_set_id] })
    expect(both).toMatchObject({ undone: 2, left: [] })
  })

  test('deletes the record if later changes are undone too', async () => {
    const { asMember } = await team()
    const one = await create(asMember, 'people', { last_name: 'One' })
    const later = await update(asMember, 'people', one.id, { score: 1 })
    const both = await asMember.undoChanges({ change_set_ids: [one.change_set_id, later.change_set_id!] })
    expect(both).toMatchObject({ undone: 1, left: [] })

    const two = await create(asMember, 'people', { last_name: 'Two' })
    const edits = [await update(asMember, 'people', two.id, { score: 1 })]
    edits.push(await update(asMember, 'people', two.id, { score: 2 }))
    await asMember.undoChanges({ change_set_ids: edits.map(({ change_set_id }) => change_set_id!) })
    expect(await asMember.undoChanges({ change_set_ids: [two.change_set_id] })).toMatchObject({ undone: 1, left: [] })
  })
})

describe('what someone did again later', () => {
  const undo = (api: Api, ...change_set_ids: (string | null)[]) =>
    api.undoChanges({ change_set_ids: change_set_ids as string[] })

  test('is theirs, even if it led back to the same value', async () => {
    const { asAdmin, asMember } = await team()
    const { id } = await create(asMember, 'people', { last_name: 'Lovelace', score: 1 })
    const first = await update(asMember, 'people', id, { score: 2, city: 'London' })
    await update(asAdmin, 'people', id, { score: 3 })
    await update(asAdmin, 'people', id, { score: 2 })
    expect(await undo(asMember, first.change_set_id)).toMatchObject({
      undone: 1,
      left: [{ record_id: id, field: 'score', reason: 'It was changed again later' }],
    })
    const { score, city } = await asAdmin.getRecord({ object: 'people', id })
    expect({ score, city }).toEqual({ score: 2, city: undefined })
  })

  test('is theirs, if they restored the record and deleted it again, or deleted and restored it', async () => {
    const { asAdmin, asMember } = await team()
    const { id } = await create(asMember, 'people', { last_name: 'Lovelace' })
    const deletion = await asMember.deleteRecords({ object: 'people', ids: [id] })
    const restoring = await asAdmin.restoreRecords({ object: 'people', ids: [id] })
    await asAdmin.deleteRecords({ object: 'people', ids: [id] })
    expect(await undo(asMember, deletion.change_set_id)).toMatchObject({
      undone: 0,
      left: [{ record_id: id, field: null, reason: 'It was deleted again later' }],
    })
    await asMember.restoreRecords({ object: 'people', ids: [id] })
    expect(await undo(asAdmin, restoring.change_set_id)).toMatchObject({
      undone: 0,
      left: [{ record_id: id, field: null, reason: 'It was restored again later' }],
    })
  })

  test('no longer counts once it is undone', async () => {
    const { asAdmin, asMember } = await team()
    const { id } = await create(asMember, 'people', { last_name: 'Lovelace', score: 1 })
    const score = async () => (await asAdmin.getRecord({ object: 'people', id })).score
    const first = await update(asMember, 'people', id, { score: 2 })
    const later = await update(asAdmin, 'people', id, { score: 3 })
    await undo(asAdmin, later.change_set_id)
    const back = await undo(asMember, first.change_set_id)
    expect([back.left, await score()]).toEqual([[], 1])
    const again = await undo(asMember, back.change_set_id)
    expect([again.left, await score()]).toEqual([[], 2])
    for (const value of [3, 2]) await update(asAdmin, 'people', id, { score: value })
    expect((await undo(asMember, first.change_set_id)).left).toMatchObject([{ field: 'score' }])
    expect(await score()).toBe(2)
  })
})

describe('undoing an update', () => {
  test('never restores an option that was removed', async () => {
    const { asAdmin } = await team()
    const { id } = await create(asAdmin, 'people', { last_name: 'Lovelace', status: 'former' })
    const { change_set_id } = await update(asAdmin, 'people', id, { status: 'active' })
    const { objects } = await asAdmin.describeSchema({ objects: ['people'] })
    const options = objects[0]!.fields.find(({ key }) => key === 'status')!.options!
    await asAdmin.updateField({
      object: 'people',
      field: 'status',
      options: options.filter(({ key }) => key !== 'former') as never,
    })
    const { left } = await asAdmin.undoChanges({ change_set_ids: [change_set_id!] })
    expect(left).toMatchObject([{ field: 'status', reason: 'One of its options was removed' }])
    expect(await asAdmin.getRecord({ object: 'people', id })).toMatchObject({ status: 'active' })
  })

  test('never assigns a record to a removed user', async () => {
    const { admin, member, asAdmin } = await team()
    const { id } = await create(asAdmin, 'people', { last_name: 'Lovelace', owner: member.user_id })
    const { change_set_id } = await update(asAdmin, 'people', id, { owner: admin.user_id })
    await asAdmin.deleteUser({ id: member.user_id, reassign_to: admin.user_id })
    const { left } = await asAdmin.undoChanges({ change_set_ids: [change_set_id!] })
    expect(left).toMatchObject([{ field: 'owner' }])
    expect(await asAdmin.getRecord({ object: 'people', id })).toMatchObject({ owner: admin.user_id })
  })

  test('keeps the value of a field that has become required', async () => {
    const { asAdmin } = await team()
    const { id } = await create(asAdmin, 'people', { last_name: 'Lovelace' })
    const { change_set_id } = await update(asAdmin, 'people', id, { city: 'London' })
    await asAdmin.updateField({ object: 'people', field: 'city', is_required: true })
    const { left } = await asAdmin.undoChanges({ change_set_ids: [change_set_id!] })
    expect(left).toMatchObject([{ field: 'city', reason: 'It is required now' }])
  })

  test('requires the rights to edit and to delete if it does both', async () => {
    const { admin, asAdmin } = await team()
    const role = await asAdmin.createRole({
      name: 'Cleaner',
      grants: [],
      records: { '*': { ...everything, edit: 'none' } },
    })
    const cleaner = await kith.given.user(admin, { role: 'Cleaner' })
    expect(role.name).toBe('Cleaner')
    const { id } = await create(asAdmin, 'people', { last_name: 'Lovelace', score: 1 })
    const edit = await update(asAdmin, 'people', id, { score: 2 })
    const deletion = await asAdmin.deleteRecords({ object: 'people', ids: [id] })
    const ids = [edit.change_set_id!, deletion.change_set_id!]
    await kith.db.updateTable('change_sets').set({ actor_id: cleaner.user_id }).where('id', 'in', ids).execute()
    const { undone, left } = await kith.withKey(await kith.given.key(cleaner)).undoChanges({ change_set_ids: ids })
    expect({ undone, left }).toMatchObject({ undone: 0, left: [{ record_id: id }] })
  })
})
