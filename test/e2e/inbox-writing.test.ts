import { afterEach, expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { soon } from '../worker.ts'
import { message, notice, row, testInbox, undo } from './inbox-page.ts'
import { messages, write } from './inbox-writing-page.ts'

const { kith, visit, far, sendAfter, support } = await testInbox()

afterEach(() => {
  far.sent = []
  kith.time.now = new Date()
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
  await notice(page, 'Scheduled for').waitFor()
  await messages(page).getByText('Scheduled for').waitFor()
  await messages(page).getByRole('button', { name: 'Cancel' }).waitFor()
  await row(page, 'Delivery to Paris').getByRole('img', { name: 'Scheduled' }).waitFor()
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
