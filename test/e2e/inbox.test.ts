import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere } from '../browser.ts'
import { phone } from '../chromium.ts'
import { soon } from '../worker.ts'
import { from, heading, message, notice, row, testInbox, undo } from './inbox-page.ts'

const { kith, visit, inbox, far, sendMessages, support, expectComplaint } = await testInbox()
const { sent } = far

test('a whole inbox is triaged by keyboard alone, and every step can be undone', async () => {
  const { owner, token, api, conversations } = await support()
  const ben = await kith.given.user(owner, { name: 'Ben Okafor' })
  const label = await api.createConversationLabel({ name: 'Shipping', color: 'blue' })
  const page = await visit('/inbox', { token })
  const [first, second] = conversations as [string, string]
  const read = async (id: string) => (await api.getConversation({ id })).conversation
  await row(page, 'Delivery to Paris').waitFor()

  await page.keyboard.press('j')
  await heading(page, 'Delivery to Paris').waitFor()
  await page.keyboard.press('j')
  await heading(page, 'Invoice 2231').waitFor()
  await page.keyboard.press('k')
  await heading(page, 'Delivery to Paris').waitFor()
  await soon(async () => expect((await read(first)).is_unread).toBe(false))

  await page.keyboard.press('e')
  await heading(page, 'Invoice 2231').waitFor()
  await row(page, 'Delivery to Paris').waitFor({ state: 'detached' })
  await soon(async () => expect((await read(first)).state).toBe('closed'))
  await page.keyboard.press('z')
  await heading(page, 'Delivery to Paris').waitFor()
  await row(page, 'Delivery to Paris').waitFor()
  expect((await read(first)).state).toBe('open')

  await page.keyboard.press('a')
  await page.keyboard.type('Ben')
  await page.getByRole('option', { name: /Ben Okafor/ }).waitFor()
  await page.keyboard.press('Enter')
  await soon(async () => expect((await read(first)).assignee_id).toBe(ben.user_id))
  await page.keyboard.press('l')
  await page.keyboard.type('ship')
  await page.getByRole('option', { name: 'Shipping' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: /Shipping.*chosen/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await soon(async () => expect((await read(first)).label_ids).toEqual([label.id]))
  await page.keyboard.press('u')
  await soon(async () => expect((await read(first)).is_unread).toBe(true))

  await page.keyboard.press('j')
  await heading(page, 'Invoice 2231').waitFor()
  await page.keyboard.press('s')
  await page.getByRole('option', { name: /^Tomorrow/ }).waitFor()
  await page.keyboard.type('tom')
  await page.getByRole('option', { name: /Next week/ }).waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await heading(page, 'Broken chain').waitFor()
  await soon(async () => expect((await read(second)).state).toBe('snoozed'))
  expect(Date.parse((await read(second)).snoozed_until!)).toBeGreaterThan(kith.time.now.getTime())
  await page.keyboard.press('!')
  await soon(async () => expect((await read(conversations[2]!)).state).toBe('spam'))
  await undo(page, 'Marked as spam')
  await soon(async () => expect((await read(conversations[2]!)).state).toBe('open'))

  await page.keyboard.press('/')
  await page.keyboard.type('delivery ')
  await page.waitForURL((url) => url.searchParams.get('q') === 'delivery')
  await row(page, 'Broken chain').waitFor({ state: 'detached' })
  await page.keyboard.type('paris')
  await page.waitForURL((url) => url.searchParams.get('q') === 'delivery paris')
  const searched = page.getByRole('searchbox', { name: 'Search conversations' })
  expect(await searched.inputValue(), 'no letter and no blank is lost').toBe('delivery paris')
  await row(page, 'Delivery to Paris').waitFor()
  await page.keyboard.press('Escape')
  await row(page, 'Broken chain').waitFor()

  // What is not saved goes back to where it was, also while nothing can be fetched.
  await row(page, 'Delivery to Paris').click()
  await heading(page, 'Delivery to Paris').waitFor()
  expectComplaint(/ERR_FAILED/)
  await page.route(/\/app\/api\/conversations/, (route) => route.abort())
  await page.keyboard.press('e')
  await notice(page, 'Nothing was changed').waitFor()
  await row(page, 'Delivery to Paris').waitFor()
  expect(await notice(page, 'Closed').count()).toBe(0)
  const shown = page.getByRole('list', { name: 'Conversations' }).getByRole('link')
  expect((await shown.allInnerTexts())[0]).toContain('Delivery to Paris')
  await page.unroute(/\/app\/api\/conversations/)
})

test('a reply is written, outlives a reload, is sent, taken back within seconds and sent again', async () => {
  const { token, api, conversations } = await support()
  const page = await visit(`/inbox/${conversations[0]}`, { token })
  await page.getByRole('list', { name: 'Messages' }).getByText('About delivery to paris.').waitFor()
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await message(page).waitFor()
  await page.keyboard.type('Yes, within a week.')
  await page.getByText('Draft saved').waitFor()
  await page.reload()
  await message(page).getByText('Yes, within a week.').waitFor()
  await page.getByText('grace@customer.example').first().waitFor()
  await expectUsable(page)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'prices.txt', mimeType: 'text/plain', buffer: Buffer.from('10 EUR') })
  await page.getByRole('button', { name: 'Remove prices.txt' }).waitFor()
  await message(page).click()
  await page.keyboard.press('Control+Enter')
  await undo(page, 'Sending…')
  await message(page).getByText('Yes, within a week.').waitFor()
  const { messages } = await api.getConversation({ id: conversations[0]! })
  expect(messages.filter(({ state }) => state === 'sent' || state === 'waiting')).toEqual([])
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send and close' }).click()
  await notice(page, 'Conversation closed').waitFor()
  await soon(async () =>
    expect((await api.getConversation({ id: conversations[0]! })).conversation.state).toBe('closed'),
  )
  kith.time.now = new Date(kith.time.now.getTime() + 15_000)
  sendMessages()
  await soon(async () => expect(sent.map(({ text }) => text).join()).toContain('Yes, within a week.'))
  expect(sent[0]!.files.map(({ name }) => name)).toEqual(['prices.txt'])
  kith.time.now = new Date()
})

test('two people work in one inbox: each sees who is there, what the other changes, and new messages as they arrive', async () => {
  const { owner, token, team, conversations } = await support()
  const ben = await kith.given.user(owner, { name: 'Ben Okafor' })
  const page = await visit(`/inbox/${conversations[0]}`, { token })
  const other = await visit(`/inbox/${conversations[0]}`, { token: await kith.given.session(ben), isAlone: true })
  await page.getByText('Ben Okafor is here').waitFor()
  await other.getByText('Ada Lovelace is here').waitFor()
  await other.getByRole('button', { name: 'Reply', exact: true }).click()
  await message(other).waitFor()
  await other.keyboard.type('I am on it')
  await page.getByText('Ben Okafor is typing…').waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await other
    .getByRole('list', { name: 'Messages' })
    .getByText(/closed this/)
    .waitFor()
  await inbox.arrives(team, { subject: 'Just now', from: from('Donald Knuth'), at: kith.time.now })
  await row(page, 'Just now').waitFor()
  await row(other, 'Just now').waitFor()
})

test('a proposal of an agent is approved, edited or rejected with words that the agent reads', async () => {
  const { owner, token, api, team, conversations } = await support()
  await api.updateChannel({ id: team.id, signature: 'Support team, Acme' })
  const agent = kith.withKey(await kith.given.key(owner))
  const propose = async (id: string, text: string, more: object = {}) =>
    (await agent.draftReply({ conversation_id: id, text, reason: 'She asked for a date.', ...more })).proposal!.id
  await propose(conversations[0]!, 'We do not deliver.')
  const outside = { mode: 'forward', to: ['partner@elsewhere.example'], send_at: '+2d' }
  const [first, second, third] = await Promise.all(
    conversations.map((id, i) => propose(id, 'We deliver on Monday.', i === 0 ? outside : {})),
  )
  const page = await visit(`/inbox/${conversations[0]}`, { token })
  const card = page.getByRole('article', { name: /Proposed reply/ })
  await card.getByText('She asked for a date.').waitFor()
  expect(await card.count(), 'the older one is folded').toBe(1)
  const shown = ['partner@elsewhere.example', 'Not in this conversation', /^Fwd: /, /Forwards the message from/]
  for (const words of [...shown, 'Support team, Acme', `<${team.address}>`])
    await card.getByText(words).first().waitFor()
  await expectUsableEverywhere(page)
  await page.getByRole('button', { name: /There is a newer one below/ }).click()
  await card.getByText('We do not deliver.').waitFor()
  expect(await card.count()).toBe(2)
  await card.last().getByRole('button', { name: 'Approve and schedule' }).click()
  await notice(page, 'Approved').waitFor()
  expect(await agent.getProposal({ id: first! })).toMatchObject({ state: 'approved' })

  await row(page, 'Invoice 2231').click()
  await card.getByRole('button', { name: 'Edit' }).click()
  const text = card.getByRole('textbox', { name: 'Proposed message' })
  await text.click()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('We deliver on Tuesday.')
  await card.getByLabel(/Feedback for the agent/).fill('Monday is a holiday.')
  await card.getByRole('button', { name: 'Approve edited message' }).click()
  const edited = { state: 'edited', note: 'Monday is a holiday.' }
  await expect.poll(() => agent.getProposal({ id: second! })).toMatchObject(edited)

  await row(page, 'Broken chain').click()
  await card.getByRole('button', { name: 'Reject' }).click()
  await card.getByLabel(/Reason/).fill('Never mind.')
  await card.getByRole('button', { name: 'Cancel' }).click()
  await card.getByRole('button', { name: 'Reject' }).click()
  expect(await card.getByLabel(/Reason/).inputValue(), 'what was cancelled is gone').toBe('')
  await card.getByLabel(/Reason/).fill('We do not know yet.')
  await card.getByRole('button', { name: 'Reject proposal' }).click()
  await notice(page, 'Rejected').waitFor()
  expect(await agent.getProposal({ id: third! })).toMatchObject({ state: 'rejected', note: 'We do not know yet.' })
})

test('a message with formatting shows in a frame without scripts, its quote folded and its images on request', async () => {
  const { token, team, api } = await support([])
  const { conversationId } = await inbox.arrives(team, {
    subject: 'Formatted',
    text: 'Hello bold',
    html: '<p>Hello <b>bold</b></p><script>parent.document.title = "hacked"</script><img src="https://tracker.example/a.png" width="200" height="50">',
    files: [
      { name: 'plan.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.4'), contentId: null, isInline: false },
    ],
  })
  const page = await visit(`/inbox/${conversationId}`, { token })
  const frame = page.frameLocator('iframe')
  await frame.getByText('bold').waitFor()
  expect(await page.title()).toBe('Inbox · Kith')
  const sandbox = await page.locator('iframe').getAttribute('sandbox')
  expect(sandbox).not.toContain('allow-scripts')
  await page.getByRole('button', { name: 'Show images' }).waitFor()
  expect((await page.locator('iframe').boundingBox())!.height).toBeGreaterThan(20)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: /plan.pdf/ }).click()
  expect((await download).suggestedFilename()).toBe('plan.pdf')
  expect((await api.getConversation({ id: conversationId })).messages).toHaveLength(1)
})

test('on a phone, one column shows the list or the conversation, with the way back', async () => {
  const { token, api, conversations } = await support()
  await api.createRecords({
    object: 'people',
    records: [{ first_name: 'Grace', emails: ['grace@customer.example'] }],
  } as never)
  const page = await visit('/inbox', { token, viewport: phone })
  await row(page, 'Invoice 2231').click()
  await heading(page, 'Invoice 2231').waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'People and records' }).click()
  await page.getByRole('dialog').getByText('Not in Kith yet').waitFor()
  await expectUsable(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await message(page).waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await row(page, 'Delivery to Paris').waitFor()
  await expectUsable(page)
  await soon(async () =>
    expect((await api.getConversation({ id: conversations[1]! })).conversation.state).toBe('closed'),
  )
})

test('a forged message warns its reader, and rows name their channel if there are several', async () => {
  const { owner, token, team, conversations } = await support(['Delivery to Paris'])
  const page = await visit('/inbox', { token })
  await row(page, 'Delivery to Paris').waitFor()
  expect(await row(page, 'Delivery to Paris').textContent()).not.toContain('Support')
  const sales = await inbox.channel(owner, { address: 'sales@acme.example', name: 'Sales desk' })
  expect(sales.id).not.toBe(team.id)
  const { conversationId } = await inbox.arrives(sales, {
    subject: 'Your invoice',
    from: { address: 'eve@evil.example', name: 'grace@customer.example' },
    html: '<p><a href="https://evil.example/x">https://bank.example</a></p>',
  })
  expect(conversations).not.toContain(conversationId)
  await page.goto(`${new URL(page.url()).origin}/inbox/${conversationId}`)
  await heading(page, 'Your invoice').waitFor()
  await page.getByText('The sender claims to be grace@customer.example, but wrote from eve@evil.example.').waitFor()
  await page.getByText('A link shown as bank.example goes to evil.example.').waitFor()
  await page.getByRole('article', { name: 'Message from eve@evil.example' }).waitFor()
  await row(page, 'Your invoice').filter({ hasText: 'Sales desk' }).waitFor()
  await row(page, 'Delivery to Paris').filter({ hasText: 'Support' }).waitFor()
})

test('an address that unsubscribed is listed with the channels, and can be allowed again', async () => {
  const { owner, token, api } = await support(['Delivery to Paris'])
  const { company_id } = owner
  await kith.db
    .insertInto('opt_outs')
    .values({ company_id, id: randomUUIDv7(), address: 'grace@customer.example', at: kith.time.now })
    .execute()
  const page = await visit('/company/channels', { token })
  await page.getByRole('heading', { name: 'Unsubscribed addresses' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'grace@customer.example' }).getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow messages' }).click()
  await page.getByRole('heading', { name: 'Unsubscribed addresses' }).waitFor({ state: 'detached' })
  expect((await api.listOptOuts({})).items).toEqual([])
})
