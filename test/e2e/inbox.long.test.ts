// Covers: web/screens/inbox web/conversations
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere } from '../browser.ts'
import { soon } from '../worker.ts'
import { heading, message, notice, row, testInbox, undo } from './inbox-page.ts'
import { messages } from './inbox-writing-page.ts'

const { kith, ada, visit, expectComplaint, inbox, support } = await testInbox()

test('without a mailbox, the inbox invites to connect one', async () => {
  const { token } = await ada()
  const page = await visit('/inbox', { token })
  await page.getByRole('button', { name: 'Connect a mailbox' }).click()
  await page.getByRole('dialog').getByLabel('Email address').waitFor()
  await expectUsable(page)
})

test('keys act on the conversation that is open, also on one that the list does not have', async () => {
  const { token, api, conversations } = await support()
  const [first, second] = conversations as [string, string]
  const label = await api.createConversationLabel({ name: 'Shipping', color: 'blue' })
  const read = async (id: string) => (await api.getConversation({ id })).conversation
  await api.updateConversations({ ids: [second], state: 'closed' })
  const page = await visit(`/inbox/${second}`, { token })
  await heading(page, 'Invoice 2231').waitFor()
  await page.keyboard.press('l')
  await page.getByRole('option', { name: 'Shipping' }).click()
  await page.keyboard.press('Escape')
  await soon(async () => expect((await read(second)).label_ids).toEqual([label.id]))
  await heading(page, 'Invoice 2231').waitFor()

  await row(page, 'Delivery to Paris').click()
  await heading(page, 'Delivery to Paris').waitFor()
  // As on a slow network: what is shown of it is from before.
  await page.route(`**/api/conversations/${first}`, (route) => new Promise(() => void route))
  for (const state of ['closed', 'open', 'closed']) {
    await page.keyboard.press(state === 'open' ? 'z' : 'e')
    await soon(async () => expect((await read(first)).state).toBe(state))
    if (state === 'open') await heading(page, 'Delivery to Paris').waitFor()
  }
})

test('a conversation that is closed at once stays closed on screen when it counts as read, and a mark that fails is taken back', async () => {
  const { token, conversations } = await support()
  const page = await visit('/inbox?view=everything', { token })
  const read = page.waitForResponse(/\/app\/api\/conversations\/reading/)
  // What the server says is not asked for again: only what the page itself does counts.
  await row(page, 'Delivery to Paris').click()
  await messages(page).getByText('About delivery to paris.').waitFor()
  await page.route(`**/api/conversations/${conversations[0]}`, (route) => new Promise(() => void route))
  await page.keyboard.press('e')
  const opener = page.getByRole('button', { name: 'Reopen' })
  await opener.waitFor()
  await read
  expect(await opener.count()).toBe(1)

  await page.unroute(`**/api/conversations/${conversations[0]}`)
  await row(page, 'Invoice 2231').click()
  await heading(page, 'Invoice 2231').waitFor()
  await page.getByRole('link', { name: /^(?!Unread).*Invoice 2231/ }).waitFor()
  expectComplaint(/ERR_FAILED/)
  await page.route(/\/app\/api\/conversations/, (route) => route.abort())
  await page.getByRole('button', { name: 'More actions for this conversation' }).click()
  await page.getByRole('menuitem', { name: 'Mark as unread' }).click()
  await notice(page, 'Nothing was changed').waitFor()
  expect(await notice(page, 'Marked as unread').count()).toBe(0)
  expect(await row(page, 'Unread: .*Invoice 2231').count()).toBe(0)
  await page.unroute(/\/app\/api\/conversations/)
})

test('several conversations are closed, assigned and labeled together with the mouse', async () => {
  const { token, api, owner, conversations } = await support()
  const page = await visit('/inbox', { token })
  await row(page, 'Delivery to Paris').hover()
  await page.getByRole('checkbox', { name: /Delivery to Paris/ }).click()
  await page.getByRole('checkbox', { name: /Broken chain/ }).click({ modifiers: ['Shift'] })
  await page.getByText('3 selected').waitFor()
  await expectUsable(page)
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Assign' }).click()
  await page.getByRole('option', { name: /Ada Lovelace/ }).click()
  await soon(async () => {
    const { items } = await api.listConversations({ filter: 'assignee = me' })
    expect(items).toHaveLength(3)
    expect(items[0]!.assignee_id).toBe(owner.user_id)
  })
  await bar.getByRole('button', { name: 'Close' }).click()
  await page.getByText('All conversations are closed or snoozed').waitFor()
  await undo(page, '3 conversations closed')
  await row(page, 'Broken chain').waitFor()
  await page.getByRole('button', { name: 'More views' }).click()
  await page.getByRole('menuitem', { name: 'Closed' }).click()
  await page.getByText('Closed conversations are kept here').waitFor()
  expect((await api.getConversation({ id: conversations[0]! })).conversation.state).toBe('open')
})

test('a note with a mention stays inside, and its look says so', async () => {
  const { owner, token, api, conversations } = await support()
  const ben = await kith.given.user(owner, { name: 'Ben Okafor' })
  const page = await visit(`/inbox/${conversations[0]}`, { token })
  await heading(page, 'Delivery to Paris').waitFor()
  await page.keyboard.press('n')
  await page.getByRole('textbox', { name: 'Note', exact: true }).waitFor()
  await page.keyboard.type('Please look, @Ben')
  await page.getByRole('option', { name: /Ben Okafor/ }).click()
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('article', { name: 'Note by Ada Lovelace' }).getByText('Internal note').waitFor()
  const { messages } = await api.getConversation({ id: conversations[0]! })
  expect(messages.findLast(({ kind }) => kind === 'note')!.text).toContain(`mention:${ben.user_id}`)
  await expectUsableEverywhere(page)
})

test('a personal mailbox shows to its owner alone, with a sign that says so', async () => {
  const { owner } = await support()
  const ben = await kith.given.user(owner, { name: 'Ben Okafor' })
  const mine = await inbox.channel(ben, { address: 'ben@acme.example', is_personal: true })
  const { conversationId } = await inbox.arrives(mine, { subject: 'My salary' })
  const his = await visit('/inbox', { token: await kith.given.session(ben) })
  await row(his, 'My salary').click()
  await his.getByText('Only you', { exact: true }).first().waitFor()
  expectComplaint(/404/)
  const admin = await visit('/inbox', { token: await kith.given.session(owner), isAlone: true })
  await row(admin, 'Delivery to Paris').waitFor()
  expect(await row(admin, 'My salary').count()).toBe(0)
  await admin.goto(`/inbox/${conversationId}`)
  await admin.getByText('This conversation does not exist').waitFor()
})

test('a view with a filter is saved and opened again; the palette finds a conversation by its words', async () => {
  const { token, api, conversations } = await support()
  const { records } = await api.createRecords({
    object: 'people',
    records: [{ first_name: 'Grace', last_name: 'Hopper' }],
  })
  await api.linkConversation({ id: conversations[0]!, add: [{ object: 'people', id: records[0]!.id }] })
  const page = await visit('/inbox', { token })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const bar = page.getByRole('search', { name: 'Filter' })
  await bar.getByRole('button', { name: 'Filter' }).click()
  await page.keyboard.type('person')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Grace Hopper' }).click()
  await page.keyboard.press('Escape')
  await row(page, 'Broken chain').waitFor({ state: 'detached' })
  await row(page, 'Delivery to Paris').waitFor()
  await bar.getByRole('button', { name: 'Clear' }).click()
  await row(page, 'Broken chain').waitFor()
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await page.getByRole('textbox', { name: 'Filter' }).fill('subject ~ "invoice"')
  await page.keyboard.press('Enter')
  await row(page, 'Broken chain').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Inbox settings' }).click()
  await page.getByRole('menuitem', { name: 'Save as a view' }).click()
  await page.getByLabel('Name').fill('Invoices')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'View: Invoices' }).waitFor()
  expect((await api.listInboxViews({})).items.map(({ name }) => name)).toEqual(['Invoices'])
  await row(page, 'Invoice 2231').waitFor()
  await expectUsableEverywhere(page)
  await page.getByRole('button', { name: 'Inbox settings' }).click()
  await page.getByRole('menuitem', { name: 'Edit the view Invoices' }).click()
  await page.getByLabel('Name').fill('Bills')
  await expectUsable(page)
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'View: Bills' }).waitFor()
  expect((await api.listInboxViews({})).items[0]).toMatchObject({
    name: 'Bills',
    filter: expect.stringContaining('invoice'),
  })

  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('chain')
  await page.getByRole('button', { name: 'Search all conversations' }).click()
  await row(page, 'Broken chain').waitFor()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Search records/ }).fill('broken chain')
  await page.getByRole('option', { name: /Edsger Dijkstra: Broken chain/ }).click()
  await heading(page, 'Broken chain').waitFor()
})

test('a template is written, shared and inserted with its variables', async () => {
  const { token, conversations } = await support()
  const page = await visit(`/inbox/${conversations[0]}`, { token })
  await heading(page, 'Delivery to Paris').waitFor()
  await page.getByRole('button', { name: 'Inbox settings' }).click()
  await page.getByRole('menuitem', { name: 'Templates' }).click()
  await page.getByRole('button', { name: 'New template' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Thanks')
  await page.getByLabel('Text').fill('Thank you for writing. How is {{organization}}?')
  await expectUsable(page)
  await page.getByRole('button', { name: 'Create template' }).click()
  await page.getByRole('dialog').getByText('Only you').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await message(page).waitFor()
  await page.getByRole('button', { name: 'Insert a template' }).click()
  await page.getByRole('option', { name: /Thanks/ }).click()
  await message(page).getByText('Thank you for writing. How is [organization]?').waitFor()
  const gap = page.getByText('Fill in before sending: [organization]')
  await gap.waitFor()
  await expectUsable(page)
  await page.keyboard.press('Control+End')
  for (let i = 0; i < '[organization]?'.length; i++) await page.keyboard.press('Backspace')
  await gap.waitFor({ state: 'detached' })
})
