// Covers: web/screens/record
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { create } from './record-page.ts'

const { ada, visit } = await testWeb()

test('the record next to its list is made wider by dragging or with the arrow keys, and stays so', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace', last_name: 'Hopper' })
  const page = await visit(`/records/people?record=${id}`, { token })
  const panel = page.getByRole('complementary', { name: 'Record' })
  await panel.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  const widthOf = async () => (await panel.boundingBox())!.width
  const first = await widthOf()
  const separator = page.getByRole('separator', { name: 'Width of the record' })
  await separator.press('ArrowLeft')
  await expect.poll(widthOf).toBeGreaterThan(first)
  const { x, y, width, height } = (await separator.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x - 150, y + height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(widthOf).toBeGreaterThan(first + 120)
  const wide = await widthOf()
  await page.reload()
  await panel.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  expect(Math.abs((await widthOf()) - wide)).toBeLessThan(2)
  await expectUsable(page)
})
