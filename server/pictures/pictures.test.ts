import { randomUUIDv7 } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { soon, testWorker } from '../../test/worker.ts'

const png = Buffer.from('89504e470d0a1a0a0102030405', 'hex')
const kith = await testApp({ own: true })
const worker = await testWorker(kith)
const { given, withSession, db } = kith
const placeOf = (company_id: string, id: string) => join(kith.filesFolder, company_id, id)
const rowsOf = (table: 'files' | 'pictures', company_id: string) =>
  db.selectFrom(table).select('id').where('company_id', '=', company_id).execute()

test('a picture is a file of the company, and its row goes when it is replaced, removed or its user leaves', async () => {
  const admin = await given.company()
  const max = await given.user(admin)
  const [boss, api] = [withSession(await given.session(admin)), withSession(await given.session(max))]
  const image = png.toString('base64')
  const first = await api.updateMyPicture({ image })
  const { picture_id } = await api.updateMyPicture({ image })
  expect(await rowsOf('files', admin.company_id)).toEqual([{ id: picture_id }])
  expect(first.picture_id).not.toBe(picture_id)
  expect(Buffer.from(await (await api.getPicture({ id: picture_id! })).arrayBuffer())).toEqual(png)
  await expect(api.downloadFile({ id: picture_id! })).toBeRefused(404)
  await boss.deleteUser({ id: max.user_id })
  expect(await rowsOf('files', admin.company_id)).toEqual([])
  expect(await rowsOf('pictures', admin.company_id)).toEqual([])
})

test('pictures that are still in the database are shown, moved in the background under the same id, and shown again', async () => {
  const admin = await given.company()
  const { company_id, user_id } = admin
  const api = withSession(await given.session(admin))
  const ids = Array.from({ length: 5 }, () => randomUUIDv7())
  for (const id of ids)
    await db
      .insertInto('pictures')
      .values({ company_id, id, type: 'image/png', bytes: png, created_at: kith.time.now })
      .execute()
  await db.updateTable('users').set({ picture_id: ids[0]! }).where('id', '=', user_id).execute()
  const seen = async () => Buffer.from(await (await api.getPicture({ id: ids[0]! })).arrayBuffer())
  expect(await seen()).toEqual(png)
  await worker.run('move_pictures', {})
  await soon(async () => expect(await rowsOf('pictures', company_id)).toEqual([]))
  expect((await rowsOf('files', company_id)).map(({ id }) => id).sort()).toEqual(ids.toSorted())
  expect(await seen()).toEqual(png)
  expect((await api.whoami({})).picture_id).toBe(ids[0])
})

test('a picture that was not moved yet can be removed', async () => {
  const admin = await given.company()
  const { company_id, user_id } = admin
  const id = randomUUIDv7()
  await db
    .insertInto('pictures')
    .values({ company_id, id, type: 'image/png', bytes: png, created_at: kith.time.now })
    .execute()
  await db.updateTable('users').set({ picture_id: id }).where('id', '=', user_id).execute()
  await withSession(await given.session(admin)).updateMyPicture({ image: null })
  await soon(async () => expect(await rowsOf('pictures', company_id)).toEqual([]))
})

test('a picture whose bytes are lost is not found, instead of an error of ours', async () => {
  const admin = await given.company()
  const api = withSession(await given.session(admin))
  const { picture_id } = await api.updateMyPicture({ image: png.toString('base64') })
  rmSync(placeOf(admin.company_id, picture_id!))
  await expect(api.getPicture({ id: picture_id! })).toBeRefused(404)
})
