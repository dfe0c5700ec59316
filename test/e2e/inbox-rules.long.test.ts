// Covers: web/screens/settings web/screens/inbox server/inbox
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere } from '../browser.ts'
import { phone } from '../chromium.ts'
import { soon } from '../worker.ts'
import { heading, row, testInbox } from './inbox-page.ts'
import { goTo } from './navigate.ts'
import { dialog } from './record-page.ts'

const { kith, ada, visit, inbox, support } = await testInbox()

test('rules of the inbox can be switched off, put in another order by keyboard and menu, duplicated and deleted', async () => {
  const { token, api } = await support([])
  const close = [{ kind: 'close' as const }]
  for (const name of ['First', 'Second']) await api.createInboxRule({ name, on: 'message_received', actions: close })
  const page = await visit('/company/inbox-rules', { token })
  await page.getByRole('button', { name: 'Move Second' }).focus()
  await page.keyboard.press('ArrowUp')
  const names = async () => (await api.listInboxRules({})).items.map(({ name }) => name)
  await soon(async () => expect(await names()).toEqual(['Second', 'First']))
  await page.getByRole('switch', { name: 'Second is on' }).click({ force: true })
  await soon(async () => expect((await api.listInboxRules({})).items[0]!.is_on).toBe(false))
  await page.getByRole('button', { name: 'Actions for First' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await soon(async () => expect(await names()).toEqual(['First', 'Second']))
  await page.getByRole('button', { name: 'Actions for First' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await dialog(page).getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('button', { name: 'First (copy)', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Actions for Second' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await soon(async () => expect(await names()).toEqual(['First', 'First (copy)']))
  await expectUsableEverywhere(page)
})

describe('working hours and targets', () => {
  test('are set for the company and for a channel, and say what is wrong', async () => {
    const { token, api } = await support([])
    const page = await visit('/company/working-hours', { token })
    await page.getByText('Always open. Set hours').waitFor()
    await page.getByRole('button', { name: 'Edit hours' }).click()
    await dialog(page).getByText('Custom hours', { exact: true }).click()
    await dialog(page).getByRole('button', { name: 'Add a time to Saturday' }).click()
    await dialog(page).getByLabel('Saturday, closes').fill('08:00')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).getByText('The end must be after the start').waitFor()
    await dialog(page).getByLabel('Saturday, closes').fill('13:00')
    await dialog(page).getByRole('button', { name: 'Add a holiday' }).click()
    await dialog(page).getByLabel('Day of holiday 1').fill('12/25/2026')
    await dialog(page).getByLabel('Name of holiday 1').fill('Christmas')
    await expectUsableEverywhere(page)
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('09:00–13:00').waitFor()
    const { hours } = await api.getWorkingHours({})
    expect(hours).toMatchObject({
      days: { saturday: [{ from: '09:00', to: '13:00' }], sunday: [] },
      holidays: [{ day: '2026-12-25', name: 'Christmas' }],
    })
    await page.getByRole('button', { name: 'Edit targets' }).click()
    await dialog(page).getByRole('textbox', { name: 'First response within' }).fill('120')
    await dialog(page).getByRole('textbox', { name: 'Closed within' }).fill('24')
    await expectUsableEverywhere(page)
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('within 2 h').waitFor()
    await page.getByRole('button', { name: 'Targets of Support' }).click()
    await dialog(page).getByText('Custom targets', { exact: true }).click()
    await dialog(page).getByRole('textbox', { name: 'First response within' }).fill('0.5')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText(/custom targets: first response within 30 min, closed within 24 h/).waitFor()
    expect((await api.getWorkingHours({})).channels[0]!.targets).toEqual({
      response_minutes: 30,
      resolution_minutes: 1440,
    })
    await expectUsableEverywhere(page)
  })

  test('count down in the list and the conversation, and what is overdue is found and sorted first', async () => {
    const { token, api, team } = await support([])
    await api.updateWorkingHours({ targets: { response_minutes: 60, resolution_minutes: 600 } })
    const ago = (minutes: number) => new Date(kith.time.now.getTime() - minutes * 60_000)
    await inbox.arrives(team, { subject: 'Late', at: ago(90) })
    await inbox.arrives(team, { subject: 'Soon', at: ago(50) })
    await inbox.arrives(team, { subject: 'Fresh', at: ago(1) })
    const page = await visit('/inbox', { token })
    await row(page, 'Late')
      .getByText(/^Reply: 3\d min overdue$/)
      .waitFor()
    const soonDue = row(page, 'Soon').getByText(/^Reply: \d+ min$/)
    await soonDue.waitFor()
    const tone = (name: string) => row(page, name).locator('[title^="Reply by"]').getAttribute('data-tone')
    await soon(async () =>
      expect([await tone('Late'), await tone('Soon'), await tone('Fresh')]).toEqual(['over', 'soon', null]),
    )
    const subjects = () => page.getByRole('link', { name: /Late|Soon|Fresh/ }).allInnerTexts()
    expect((await subjects())[0]).toContain('Fresh')
    await page.getByRole('button', { name: 'Sort by due time' }).click()
    await soon(async () => expect((await subjects())[0]).toContain('Late'))
    await row(page, 'Late').click()
    await heading(page, 'Late').waitFor()
    const overdue = page.getByText(/^Reply: 3\d min overdue$/)
    await soon(async () => expect(await overdue.count(), 'in the list and in the conversation').toBe(2))
    await expectUsableEverywhere(page)
    await page.goto('/inbox?view=overdue')
    await row(page, 'Late').waitFor()
    expect(await subjects()).toHaveLength(1)
  })
})

describe('the report of the inbox', () => {
  test('shows figures, charts and tables, and invites to wait while there is nothing', async () => {
    const { token } = await ada()
    const empty = await visit('/company/inbox-report', { token })
    await empty.getByText('No conversations in this period').waitFor()
    await expectUsableEverywhere(empty)
    const { token: hers, api, conversations } = await support()
    await api.updateConversations({ ids: [conversations[0]!], state: 'closed' })
    const page = await visit('/company/inbox-report', { token: hers })
    await page.getByRole('heading', { name: 'First response' }).waitFor()
    await page.getByRole('table', { name: 'Members' }).getByText('Unassigned').waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save members as CSV' }).click()
    expect((await saving).suggestedFilename()).toBe('inbox-report-members.csv')
    await expectUsableEverywhere(page)
    await page.getByRole('combobox', { name: 'Channel' }).click()
    await page.getByRole('option', { name: 'Support' }).click()
    await page.getByRole('table', { name: 'Channels' }).getByText('Support').waitFor()
  })
})

test('on a phone, a rule, hours, targets and the report can be used by keyboard alone', async () => {
  const { token, api } = await support()
  const page = await visit('/company/inbox-rules', { token, viewport: phone })
  const { keyboard } = page
  /** Until it has the focus. */
  const reach = async (name: RegExp | string, role: Parameters<Page['getByRole']>[0] = 'button', key = 'Tab') => {
    const target = page.getByRole(role, { name, exact: true }).last()
    await target.waitFor()
    for (let i = 0; i < 80; i++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await keyboard.press(key)
    }
    throw new Error(`${key} does not reach ${name}`)
  }
  const press = async (name: RegExp | string, key = 'Enter') => {
    await reach(name)
    await keyboard.press(key)
  }
  await press('New rule')
  await dialog(page).waitFor()
  await reach('Name', 'textbox')
  await keyboard.type('Close everything')
  await press('Remove')
  await press('Add an action')
  await reach('Close', 'menuitem', 'ArrowDown')
  await keyboard.press('Enter')
  await press('Add rule')
  await page.getByText('A conversation starts → close').waitFor()
  expect((await api.listInboxRules({})).items).toMatchObject([
    { name: 'Close everything', actions: [{ kind: 'close' }] },
  ])

  await goTo(page, '/company/working-hours')
  await press('Edit targets')
  await reach('First response within', 'textbox')
  await keyboard.type('45')
  await press('Save')
  await page.getByText('within 45 min').waitFor()
  await press('Edit hours')
  await dialog(page).getByText('Always open', { exact: true }).waitFor()
  await keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })

  await goTo(page, '/company/inbox-report')
  const chart = page.getByRole('group', { name: 'Conversations, bar chart' })
  await chart.waitFor()
  for (let i = 0; i < 80 && !(await chart.evaluate((svg) => svg.contains(document.activeElement))); i++)
    await keyboard.press('Tab')
  await keyboard.press('End')
  expect(await chart.evaluate((svg) => svg.contains(document.activeElement))).toBe(true)
  await press('Save members as CSV', 'Shift')
  await expectUsable(page)
})
