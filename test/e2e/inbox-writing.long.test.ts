// Covers: web/screens/inbox web/conversations
import { afterEach, expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { soon } from '../worker.ts'
import { heading, message, notice, row, testInbox, undo } from './inbox-page.ts'
import { messages, saved, write } from './inbox-writing-page.ts'

const { kith, visit, expectComplaint, inbox, far, sendAfter, support } = await testInbox()

afterEach(() => {
  far.sent = []
  kith.time.now = new Date()
})

test('what is sent is what the window shows: other windows follow a draft, and one that could not asks before it sends', async () => {
  const { token, api, conversations } = await support()
  expectComplaint(/409/)
  const train = await visit(`/inbox/${conversations[0]}`, { token, isAlone: true })
  await write(train, 'Monday')
  await saved(train)
  const desk = await visit(`/inbox/${conversations[0]}`, { token })
  await message(desk).getByText('Monday').click()
  await desk.keyboard.press('Control+End')
  await desk.keyboard.type(' at nine')
  await message(train).getByText('Monday at nine', { exact: true }).waitFor()
  // What was replaced a moment ago is not sent at all.
  await train.clock.install()
  await train.clock.fastForward(2000)

  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await train.route(/message-drafts\?/, async (request) => {
    await released
    await request.continue()
  })
  await desk.keyboard.type(', delivered free')
  await soon(async () => expect((await api.listMessageDrafts({})).items[0]?.text).toContain('free'))
  await train.getByRole('button', { name: 'Send', exact: true }).click()
  release()
  await train.getByText('This draft was also edited on another device.').waitFor()
  await train.getByRole('button', { name: 'Use the other version' }).click()
  await message(train).getByText('Monday at nine, delivered free').waitFor()
  await train.getByRole('button', { name: 'Send', exact: true }).click()
  await notice(train, 'Sending…').waitFor()
  await soon(async () => {
    sendAfter(15)
    expect(far.sent.map(({ text }) => text.split('\n')[0])).toEqual(['Monday at nine, delivered free'])
  })
})

test('a message that was taken back is a draft again, and a line that can be opened once that is discarded', async () => {
  const { token, conversations } = await support()
  const page = await visit(`/inbox/${conversations[0]}`, { token })
  await write(page, 'Too early.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await undo(page, 'Sending…')
  await message(page).getByText('Too early.').waitFor()
  const line = messages(page).getByRole('button', { name: / cancelled a message before it was sent$/ })
  expect(await line.count()).toBe(0)
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await line.waitFor()
  expect(await messages(page).getByText('Too early.').count()).toBe(0)
  await line.click()
  await messages(page).getByText('Too early.').waitFor()
  await expectUsable(page)
})

test('the inbox says when the server cannot be reached, and when it is back', async () => {
  const { token } = await support()
  expectComplaint(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|EventSource/)
  const page = await visit('/inbox', { token, isAlone: true })
  await row(page, 'Invoice 2231').waitFor()
  await page.context().setOffline(true)
  const banner = page.getByText('What you write is kept and will be saved when you’re back online.')
  await banner.waitFor()
  await expectUsable(page)
  await page.context().setOffline(false)
  await banner.waitFor({ state: 'detached' })
})

test('a reply shows the signature and the message that are sent below it', async () => {
  const { token, api, team, conversations } = await support()
  await api.updateChannel({ id: team.id, signature: 'Support team, Acme' })
  const page = await visit(`/inbox/${conversations[0]}`, { token })
  await write(page, 'Yes.')
  const composer = page.getByRole('region', { name: 'Reply' })
  await composer.getByText('Signature').click()
  await composer.getByText('Support team, Acme').waitFor()
  await composer.getByText('Quoted message').click()
  await composer.getByText('About delivery to paris.').waitFor()
  await expectUsable(page)
})

test('a forwarded message shows what goes along, and files can be left out', async () => {
  const { token, team } = await support()
  const file = (name: string) => ({
    name,
    type: 'text/plain',
    content: Buffer.from(name),
    contentId: null,
    isInline: false,
  })
  const { conversationId } = await inbox.arrives(team, {
    subject: 'Two plans',
    text: 'Both plans are attached.',
    files: [file('good.txt'), file('bad.txt')],
  })
  const page = await visit(`/inbox/${conversationId}`, { token })
  await page.getByRole('button', { name: 'Forward', exact: true }).click()
  const composer = page.getByRole('region', { name: 'Forward' })
  await composer.getByText('Forwarded message').click()
  await composer.getByText('Both plans are attached.').waitFor()
  await composer.getByRole('button', { name: 'Remove bad.txt' }).click()
  await composer.getByRole('button', { name: 'Remove bad.txt' }).waitFor({ state: 'detached' })
  await expectUsable(page)
  await composer.getByLabel('To', { exact: true }).fill('boss@acme.example')
  await page.keyboard.press('Enter')
  await message(page).click()
  await page.keyboard.type('For you.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await soon(async () => {
    sendAfter(15)
    expect(far.sent.map(({ files }) => files.map(({ name }) => name))).toEqual([['good.txt']])
  })
})

test('the focus goes on with the conversations that leave the list, and ? lists the keys', async () => {
  const { token } = await support(['One', 'Two', 'Three', 'Four'])
  const page = await visit('/inbox', { token })
  const isFocused = (subject: string) =>
    expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain(subject)
  await row(page, 'One').focus()
  await page.keyboard.press('Enter')
  await heading(page, 'One').waitFor()
  await page.keyboard.press('ArrowDown')
  await heading(page, 'Two').waitFor()
  await page.keyboard.press('e')
  await heading(page, 'Three').waitFor()
  await isFocused('About three.')
  await page.keyboard.press('s')
  await page.getByRole('option', { name: /^Tomorrow/ }).click()
  await heading(page, 'Four').waitFor()
  await row(page, 'Three').waitFor({ state: 'detached' })
  await isFocused('About four.')
  await page.keyboard.press('e')
  await heading(page, 'One').waitFor()
  await isFocused('About one.')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText('Nothing here').waitFor()
  await isFocused('Inbox')

  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('region', { name: 'In the inbox' })
  await keys.getByText('Close or reopen').waitFor()
  await expectUsable(page)
  await page.keyboard.press('Escape')
  await isFocused('Inbox')
})

test('a draft that was changed on two devices asks which one to keep', async () => {
  const { token, conversations } = await support()
  expectComplaint(/409|ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const train = await visit(`/inbox/${conversations[0]}`, { token, isAlone: true })
  await write(train, 'Monday')
  await saved(train)
  const desk = await visit(`/inbox/${conversations[0]}`, { token })
  await message(desk).getByText('Monday').click()
  const both = train.getByText('This draft was also edited on another device.')
  const changeBoth = async (there: string, here: string) => {
    await train.context().setOffline(true)
    await message(train).click()
    await train.keyboard.press('Control+End')
    await train.keyboard.type(here)
    await train.getByText('Not saved yet').waitFor()
    await message(desk).click()
    await desk.keyboard.press('Control+End')
    await desk.keyboard.type(there)
    await desk.getByText('Saving…').waitFor()
    await saved(desk)
    await train.context().setOffline(false)
    await both.waitFor()
  }

  await changeBoth(' at nine', ' at ten')
  await expectUsable(train)
  await train.getByRole('button', { name: 'Use the other version' }).click()
  await message(train).getByText('Monday at nine', { exact: true }).waitFor()
  await changeBoth(' or later', ' sharp')
  await train.getByRole('button', { name: 'Keep this version' }).click()
  await both.waitFor({ state: 'detached' })
  await saved(train)
  await desk.reload()
  await message(desk).getByText('Monday at nine sharp', { exact: true }).waitFor()
})

test('conversations are merged and split, and both can be undone', async () => {
  const { token, team, conversations } = await support()
  const first = await inbox.arrives(team, {
    subject: 'Two matters',
    text: 'The first.',
    sender: 'eve@customer.example',
  })
  await inbox.arrives(team, {
    subject: 'Re: Two matters',
    text: 'The second.',
    sender: 'eve@customer.example',
    references: [first.mail.key],
  })
  const page = await visit(`/inbox/${conversations[0]}`, { token })
  await heading(page, 'Delivery to Paris').waitFor()
  await page.keyboard.press('m')
  await page.keyboard.type('invoice')
  await page.getByRole('option', { name: /Invoice 2231/ }).click()
  await heading(page, 'Invoice 2231').waitFor()
  await messages(page).getByText('About delivery to paris.').waitFor()
  await row(page, 'Delivery to Paris').waitFor({ state: 'detached' })
  await undo(page, 'Merged into')
  await heading(page, 'Delivery to Paris').waitFor()
  await row(page, 'Invoice 2231').click()
  await messages(page).getByText('About invoice 2231.').waitFor()
  await messages(page).getByText('About delivery to paris.').waitFor({ state: 'detached' })

  await row(page, 'Two matters').click()
  await messages(page).getByText('The second.').waitFor()
  await messages(page)
    .getByRole('button', { name: /Actions for the message/ })
    .last()
    .click()
  await page.getByRole('menuitem', { name: 'Split off from here' }).click()
  await notice(page, 'Split into a new conversation').waitFor()
  await messages(page).getByText('The first.').waitFor({ state: 'detached' })
  await messages(page).getByText('The second.').waitFor()
  await undo(page, 'Split into a new conversation')
  await messages(page).getByText('The first.').waitFor()
  await messages(page).getByText('The second.').waitFor()
})
