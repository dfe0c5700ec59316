// What the tests of the inbox share: a company with a mailbox of the team, and what one sees of it.
import type { Page } from 'playwright-core'
import type { Outgoing } from '../../server/inbox/channels/channel.ts'
import { testWeb } from '../browser.ts'
import { inboxFor } from '../inbox.ts'
import { testWorker } from '../worker.ts'

export const from = (name: string) => ({ address: `${name.toLowerCase().split(' ')[0]}@customer.example`, name })
export const row = (page: Page, subject: string) => page.getByRole('link', { name: new RegExp(subject) })
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
export const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
export const notice = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
export const undo = (page: Page, text: string) => notice(page, text).getByRole('button', { name: 'Undo' }).click()

/** The product with channels whose far end keeps what was sent, or refuses it. */
export async function testInbox() {
  const far = { sent: [] as Outgoing[], refusal: '' }
  const email = {
    can: { html: true, subject: true, cc: true, mostText: 200_000, mostFilesMb: 25 },
    async send(_: unknown, message: Outgoing) {
      if (far.refusal) return { state: 'failed' as const, reason: far.refusal }
      far.sent.push(message)
      const key = `<${message.messageId}@acme.example>`
      return { state: 'sent' as const, key, providerId: key }
    },
  }
  const web = await testWeb({ channelKinds: { email } })
  const { kith, ada } = web
  const { sendMessages } = await testWorker(kith)
  const inbox = inboxFor(kith)

  const ago = (minutes: number) => new Date(kith.time.now.getTime() - minutes * 60_000)

  /** Ada's company with a mailbox of the team, in which some have written: the newest first. */
  async function support(subjects = ['Delivery to Paris', 'Invoice 2231', 'Broken chain']) {
    const made = await ada()
    const team = await inbox.channel(made.owner, { address: 'support@acme.example', name: 'Support' })
    const names = ['Grace Hopper', 'Alan Turing', 'Edsger Dijkstra', 'Barbara Liskov']
    const conversations: string[] = []
    for (const [index, subject] of subjects.entries()) {
      const { conversationId } = await inbox.arrives(team, {
        subject,
        from: from(names[index % names.length]!),
        text: `About ${subject.toLowerCase()}.`,
        at: ago(10 + index),
      })
      conversations.push(conversationId)
    }
    return { ...made, team, conversations }
  }

  /** What waits is sent after some time has passed for the server. */
  function sendAfter(seconds: number) {
    kith.time.now = new Date(kith.time.now.getTime() + seconds * 1000)
    sendMessages()
  }
  return { ...web, inbox, far, sendMessages, sendAfter, support }
}
