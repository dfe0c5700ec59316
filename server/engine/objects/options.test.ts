import { beforeAll, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'

let api: Api

beforeAll(async () => {
  const kith = await testApp()
  api = kith.withSession(await kith.given.session(await kith.given.company()))
})

test('options are added without naming those there are, and those in use cannot be left out', async () => {
  const field = { object: 'people', field: 'tags' }
  await api.updateField({ ...field, options: [{ label: 'VIP' }] })
  await api.createRecords({ object: 'people', records: [{ last_name: 'Lovelace', tags: ['vip'] }] })
  await expect(api.updateField({ ...field, options: [{ label: 'Autumn fair' }] })).toBeRefused(409)
  const { options } = await api.updateField({ ...field, add_options: [{ label: 'Autumn fair' }] })
  expect(options!.map(({ key }) => key)).toEqual(['vip', 'autumn_fair'])
  await expect(api.updateField({ ...field, add_options: [{ label: 'VIP' }] })).toBeRefused(422)
})
