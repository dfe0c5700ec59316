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

test('a draft that was changed on two devices asks which one to keep', async () => {
  const { token, conversations } = await support()
  expectComplaint(/409|ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const train = await visit(`/inbox/${conversations[0]}`, { token, isAlone: true })
  await write(train, 'Monday')
  await saved(train)
  const desk = await visit(`/inbox/${conversations[0]}`, { token })
  await message(desk).getByText('Monday').click()
  const both = train.getByText('This draft was also changed on another device.')
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
  await train.getByRole('button', { name: 'Use the other one' }).click()
  await message(train).getByText('Monday at nine', { exact: true }).waitFor()
  await changeBoth(' or later', ' sharp')
  await train.getByRole('button', { name: 'Keep this one' }).click()
  await both.waitFor({ state: 'detached' })
  await saved(train)
  await desk.reload()
  await message(desk).getByText('Monday at nine sharp', { exact: true }).waitFor()
})

test('a message takes pasted and dropped files, is sent later, and what failed is sent again', async () => {
  const { token, conversations } = await support()
  const page = await visit(`/inbox/${conversations[0]}`, { token })
  await write(page, 'See the plan.')
  const give = (kind: 'paste' | 'drop', name: string) =>
    message(page).evaluate(
      (box, [kind, name]) => {
        const data = new DataTransfer()
        data.items.add(new File(['content'], name!, { type: 'image/png' }))
        const init = { bubbles: true, cancelable: true }
        box.dispatchEvent(
          kind === 'paste'
            ? new ClipboardEvent('paste', { ...init, clipboardData: data })
            : new DragEvent('drop', { ...init, dataTransfer: data }),
        )
      },
      [kind, name],
    )
  await give('paste', 'pasted.png')
  await page.getByRole('button', { name: 'Remove pasted.png' }).waitFor()
  await give('drop', 'dropped.png')
  await page.getByRole('button', { name: 'Remove dropped.png' }).waitFor()
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await undo(page, 'Draft discarded')
  await page.getByRole('button', { name: 'Remove dropped.png' }).waitFor()

  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send later' }).click()
  await page.keyboard.type('in 2 hours')
  await page.getByRole('option', { name: /^Today|^Tomorrow/ }).click()
  await notice(page, 'Will be sent').waitFor()
  await messages(page).getByText('Will be sent').waitFor()
  await messages(page).getByRole('button', { name: 'Cancel' }).waitFor()
  await row(page, 'Delivery to Paris').getByRole('img', { name: 'Will be sent' }).waitFor()
  sendAfter(3600)
  expect(far.sent).toEqual([])

  far.refusal = 'The mail server refused the recipient.'
  sendAfter(2 * 3600)
  await messages(page).getByText('Not sent. The mail server refused the recipient.').waitFor()
  await page.getByRole('link', { name: /Not sent/ }).waitFor()
  await expectUsable(page)
  far.refusal = ''
  await messages(page).getByRole('button', { name: 'Retry' }).click()
  await soon(async () => {
    sendAfter(60)
    expect(far.sent.map(({ files }) => files.map(({ name }) => name))).toEqual([['pasted.png', 'dropped.png']])
  })
  await messages(page).getByText('Sent', { exact: true }).waitFor()
})

test('conversations are merged and split, and both can be undone', async () => {
  const { token, team, conversations } = await support()
  const first = await inbox.arrives(team, {
    subject: 'Two matters',
    text: 'The first.',
    sender: 'eve@customer.example',
  })
  await inbox.arrives(team, {
    ...{ subject: 'Re: Two matters', text: 'The second.', sender: 'eve@customer.example' },
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
  await notice(page, 'Split off').waitFor()
  await messages(page).getByText('The first.').waitFor({ state: 'detached' })
  await messages(page).getByText('The second.').waitFor()
  await undo(page, 'Split off')
  await messages(page).getByText('The first.').waitFor()
  await messages(page).getByText('The second.').waitFor()
})
