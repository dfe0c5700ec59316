import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere } from '../browser.ts'
import { soon } from '../worker.ts'
import { from, testInbox } from './inbox-page.ts'
import { dialog } from './record-page.ts'

const { kith, visit, inbox, sendAfter, support } = await testInbox()

const group = (page: Page, name: string) => dialog(page).getByRole('group', { name, exact: true })
const pick = async (page: Page, field: string, option: string | RegExp) => {
  await dialog(page).getByRole('combobox', { name: field }).last().click()
  await page.getByRole('option', { name: option }).click()
}
const addAction = async (page: Page, name: string) => {
  await dialog(page).getByRole('button', { name: 'Add an action' }).click()
  await page.getByRole('menuitem', { name }).click()
}

test('rules of the inbox are made in a dialog, tried out, and then handle what arrives', async () => {
  const { owner, token, api, team } = await support(['Old question'])
  const ben = await kith.given.user(owner, { name: 'Ben Okafor' })
  const label = await api.createConversationLabel({ name: 'Billing', color: 'blue' })
  await api.createMessageTemplate({ name: 'Received', text: 'We got your message.', is_shared: true })
  const page = await visit('/company/inbox-rules', { token })
  await page.getByText('No rules yet').waitFor()
  await expectUsableEverywhere(page)

  await page.getByRole('button', { name: 'New rule' }).click()
  await dialog(page).getByRole('button', { name: 'Add rule' }).click()
  await dialog(page).getByText('Enter a name').waitFor()
  await dialog(page).getByText('Choose at least one user').waitFor()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Invoices')
  await group(page, 'Action 1').getByLabel('Users').fill('Ben')
  await page.getByRole('option', { name: /Ben Okafor/ }).click()
  await page.keyboard.press('Tab')
  await addAction(page, 'Add labels')
  await pick(page, 'Labels', 'Billing')
  await page.keyboard.type('Urgent')
  await page.getByRole('option', { name: 'Create “Urgent”' }).click()
  await page.getByRole('button', { name: 'Create label' }).click()
  await group(page, 'Action 2').getByText('Urgent').waitFor()
  await dialog(page).getByRole('combobox', { name: 'Labels' }).focus()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Tab')
  await addAction(page, 'Reply with a template')
  await pick(page, 'Template', 'Received')
  await expectUsableEverywhere(page)
  await dialog(page).getByRole('button', { name: 'Add rule' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByText(/assign to Ben Okafor, label Billing, reply with “Received”/).waitFor()
  const { items } = await api.listInboxRules({})
  await api.updateInboxRule({
    id: items[0]!.id,
    filter: 'subject ~ invoice and (assignee is empty or assignee = "Ben Okafor")',
  })
  await page.reload()
  await page
    .getByText('if subject contains "invoice", and (either assignee is empty or assignee is "Ben Okafor")')
    .waitFor()
  await api.updateInboxRule({ id: items[0]!.id, filter: null })
  await page.reload()

  await page.getByRole('button', { name: 'Test rules' }).click()
  await pick(page, 'Conversation', /Old question.*About old question/)
  const result = dialog(page).getByRole('list', { name: 'Result' })
  await result.getByText('Assign to Ben Okafor').waitFor()
  await result.getByText('Reply with the template Received').waitFor()
  await expectUsableEverywhere(page)
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })

  const { conversationId } = await inbox.arrives(team, { subject: 'Invoice 2231', from: from('Alan Turing') })
  await soon(async () => {
    const { conversation } = await api.getConversation({ id: conversationId })
    expect(conversation).toMatchObject({ assignee_id: ben.user_id, label_ids: [label.id] })
  })
  await page.goto(`/inbox/${conversationId}`)
  await page.getByText('Rule “Invoices” assigned this to Ben Okafor').waitFor()
  await page.getByText('Rule “Invoices” added the label Billing').waitFor()
  sendAfter(30)
  await page.getByText('Automatic, rule “Invoices”').waitFor()
  await expectUsable(page)
})
