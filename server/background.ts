// Everything that runs without a call: background tasks, the jobs that people see, deliveries to subscriptions, webhooks, leads that are sent on,
// messages, and the mailboxes they arrive in.

import {
  type BackgroundServices,
  backgroundTasks,
  deliveryHandlers,
  jobHandlers,
  queuesOf,
  subscriptions,
} from './background-tasks.ts'
import { mailboxWork } from './channels/email/hold.ts'
import { telegramWork } from './channels/telegram/follow.ts'
import { deliveryWork } from './engine/subscriptions/deliver/runner.ts'
import { receive } from './inbox/receiving/receive.ts'
import { messageWork } from './inbox/sending/worker.ts'
import { jobWork } from './jobs/runner.ts'
import { startWorker, type Worker } from './kernel/queue.ts'
import { startWorkers } from './kernel/worker.ts'
import { leadWork } from './lead-routing/worker.ts'
import { liveMessagesOf } from './live-messages.ts'
import { webhookWork } from './webhooks/sender.ts'

type BackgroundParts = Parameters<typeof startWorker>[0] & Parameters<typeof startWorkers>[0]

export async function startBackground(
  parts: BackgroundParts,
  services: BackgroundServices,
): Promise<Worker & { sendWebhooks(): void; sendLeads(): void; sendMessages(): void }> {
  await using building = new AsyncDisposableStack()
  const { vault, outbound } = services
  const works = startWorkers(parts, [
    jobWork({ ...parts, handlers: jobHandlers(services) }),
    leadWork({ ...parts, services: { ...services, fetch: outbound.fetch } }),
    messageWork({ ...parts, services }),
    deliveryWork({
      ...parts,
      handlers: deliveryHandlers(services),
      delivered: (kind) => kind === 'webhook' && works.wake('webhooks'),
    }),
    webhookWork({ ...parts, vault, fetch: outbound.fetch }),
    mailboxWork({ ...parts, services: services.mailboxes, reading: services, receive }),
    telegramWork({
      ...parts,
      reading: services,
      provider: { vault, fetch: outbound.fetch, addresses: services.providers },
    }),
  ])
  building.defer(works.stop)
  const worker = await startWorker(parts, backgroundTasks(services), subscriptions, {
    liveMessagesOf,
    queuesOf,
    heard(event) {
      for (const queue of queuesOf[event] ?? []) works.wake(queue)
    },
  })
  building.defer(worker.stop)
  const running = building.move()
  return {
    wake: worker.wake,
    sendWebhooks: () => works.wake('webhooks'),
    sendLeads: () => works.wake('leads'),
    sendMessages: () => works.wake('messages'),
    stop: () => running.disposeAsync(),
  }
}
