import { expect, test } from 'vitest'
import { builtInLooks } from '../../../contract/built-in/objects.ts'
import { testApp } from '../../../test/app.ts'

const kith = await testApp()
const owner = await kith.given.company()
const api = kith.withKey(await kith.given.key(owner))

test('built-in objects come with their icon and color, Deals first', async () => {
  const { objects } = await api.describeSchema({})
  const looks = Object.fromEntries(objects.map(({ key, icon, color }) => [key, { icon, color }]))
  expect(looks).toEqual(builtInLooks)
  expect(objects.map(({ key }) => key).slice(0, 3)).toEqual(['deals', 'people', 'organizations'])
})

test('a custom object gets a default look, which can be changed to any of the list', async () => {
  const made = await api.createObject({ key: 'vans', label: 'Van', label_plural: 'Vans' })
  expect(made).toMatchObject({ icon: 'box', color: 'gray' })
  expect(await api.updateObject({ object: 'vans', icon: 'truck', color: 'teal' })).toMatchObject({
    icon: 'truck',
    color: 'teal',
    label: 'Van',
  })
  const refused = api.updateObject({ object: 'vans', icon: 'dragon' as never })
  await expect(refused).toBeRefused(422)
})
