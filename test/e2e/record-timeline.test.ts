import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { goTo } from './navigate.ts'
import { create, part } from './record-page.ts'

const { ada, visit } = await testWeb()

test('calls, tasks and notes are added in one line, and the timeline shows them with what happened on related records', async () => {
  const { token, api, owner } = await ada()
  const organization = await create(api, 'organizations', { name: 'Brightwater' })
  const { id } = await create(api, 'people', { first_name: 'Grace', organization: organization.id })
  const page = await visit(`/records/people/${id}`, { token })
  await page.getByText('No next step').waitFor()
  await page.getByRole('button', { name: 'Call' }).first().click()
  await page.keyboard.type('Wants an offer')
  await page.keyboard.press('Enter')
  const timeline = part(page, 'Timeline')
  await timeline.getByText('Wants an offer').waitFor()
  await page.getByText('just now').waitFor()
  const [call] = (await api.queryRecords({ object: 'activities' })).records
  expect(call).toMatchObject({ kind: 'call', outcome: 'Wants an offer', about: [{ id }] })

  await page.getByRole('button', { name: 'No next step' }).click()
  await page.keyboard.type('Send the offer')
  await page.keyboard.press('Enter')
  const steps = part(page, 'Next steps')
  await steps.getByRole('checkbox', { name: 'Send the offer: done' }).waitFor()
  expect((await api.queryRecords({ object: 'tasks' })).records[0]).toMatchObject({ assignee: owner.user_id })
  await expectUsable(page)
  await steps.getByRole('checkbox', { name: 'Send the offer: done' }).click()
  await timeline.getByText('Task completed:').waitFor()
  await page.getByText('No next step').waitFor()

  await goTo(page, `/records/organizations/${organization.id}`)
  const rolledUp = timeline.getByRole('listitem').filter({ hasText: 'Wants an offer' })
  await rolledUp.getByRole('link', { name: 'Grace' }).waitFor()
  await page.getByRole('button', { name: 'Changes', exact: true }).click()
  await page.waitForURL(/show=change/)
  await rolledUp.waitFor({ state: 'detached' })
})

test('on a phone one tap calls or writes, fingers find every control, and a note can be saved above the keyboard', async () => {
  const { token, api } = await ada()
  const phones = ['+14155550132', '+14155550133']
  const { id } = await create(api, 'people', { first_name: 'Grace', phones, emails: ['grace@navy.example'] })
  await create(api, 'tasks', { title: 'Send the offer', about: [id] })
  const page = await visit(`/records/people/${id}`, { token, viewport: phone, hasTouch: true })
  expect(await page.getByRole('link', { name: 'Email Grace' }).getAttribute('href')).toBe('mailto:grace@navy.example')
  await page.getByRole('button', { name: 'Call Grace' }).tap()
  expect(await page.getByRole('menuitem').first().getAttribute('href')).toBe('tel:+14155550132')
  await page.keyboard.press('Escape')
  const tooSmall = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main button, main input:not([type=checkbox])')]
        .filter((one) => !one.closest('[role="group"][aria-label="Stage"]') && one.getBoundingClientRect().height < 39)
        .map((one) => one.ariaLabel ?? one.innerText),
    )
  expect(await tooSmall()).toEqual([])
  const tick = (await page.getByRole('checkbox', { name: 'Send the offer: done' }).boundingBox())!
  expect(await page.evaluate(([x, y]) => document.elementFromPoint(x!, y!)?.ariaLabel, [tick.x - 8, tick.y - 8])).toBe(
    'Send the offer: done',
  )
  await page.setViewportSize({ width: 390, height: 480 })
  await page.getByRole('button', { name: 'Write a note' }).tap()
  await page.keyboard.type('One line\n\nand another\n\nand more')
  const save = page.getByRole('button', { name: 'Save note' })
  expect(await save.evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThan(480 - 56)
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('input, textarea, [contenteditable="true"]')]
        .filter((one) => Number.parseFloat(getComputedStyle(one).fontSize) < 16)
        .map((one) => one.ariaLabel),
    )
  expect(await small()).toEqual([])
  await save.tap()
  await part(page, 'Timeline').getByText('and another').waitFor()
  await page.setViewportSize(phone)
  await goTo(page, '/my-tasks')
  await page.getByRole('textbox', { name: 'New task' }).waitFor()
  expect([...(await small()), ...(await tooSmall())]).toEqual([])
})
