// Everything that runs without a call: the background queue, the jobs that people see, deliveries to subscriptions, webhooks, leads that are sent on,
// messages, and the mailboxes they arrive in.

import {
  deliveryHandlers,
  type JobServices,
  jobHandlers,
  jobs,
  liveMessagesOf,
  queuesOf,
  subscriptions,
} from './background-jobs.ts'
import { startMailboxRunner } from './channels/email/hold.ts'
import { startTelegramFollower } from './channels/telegram/follow.ts'
import { deliveryWork } from './engine/subscriptions/deliver/runner.ts'
import { receive } from './inbox/receiving/receive.ts'
import { messageWork } from './inbox/sending/worker.ts'
import { startJobRunner } from './jobs/runner.ts'
import { startWorker, type Worker } from './kernel/queue.ts'
import { startWorkers } from './kernel/worker.ts'
import { leadWork } from './lead-routing/worker.ts'
import { startWebhookSender } from './webhooks/sender.ts'

type Parts = Parameters<typeof startWorker>[0]

export async function startBackground(
  parts: Parts,
  services: JobServices,
): Promise<Worker & { sendWebhooks(): void; sendLeads(): void; sendMessages(): void }> {
  await using building = new AsyncDisposableStack()
  const runner = startJobRunner({ ...parts, handlers: jobHandlers(services) })
  building.defer(runner.stop)
  const { vault, outbound } = services
  const webhooks = startWebhookSender({ ...parts, vault, fetch: outbound.fetch })
  building.defer(webhooks.stop)
  const works = startWorkers(parts, [
    leadWork({ ...parts, services: { ...services, fetch: outbound.fetch } }),
    messageWork({ ...parts, services }),
    deliveryWork({
      ...parts,
      handlers: deliveryHandlers(services),
      delivered: (kind) => kind === 'webhook' && webhooks.wake(),
    }),
  ])
  building.defer(works.stop)
  const mailboxes = startMailboxRunner({
    ...parts,
    services: services.mailboxes,
    reading: services,
    receive,
  })
  building.defer(mailboxes.stop)
  const { clock, db, log } = parts
  const bots = startTelegramFollower({
    db,
    log,
    clock,
    reading: services,
    provider: { vault, fetch: outbound.fetch, addresses: services.providers },
  })
  building.defer(bots.stop)
  const worker = await startWorker(parts, jobs(services), subscriptions, {
    liveMessagesOf,
    queuesOf,
    heard(event) {
      for (const queue of queuesOf[event] ?? []) works.wake(queue)
      if (event === 'job.started' || event === 'job.cancelled') runner.wake()
      if (event === 'webhook.queued') webhooks.wake()
      if (event === 'channel.changed') {
        mailboxes.wake()
        bots.wake()
      }
    },
  })
  building.defer(worker.stop)
  const running = building.move()
  return {
    wake: worker.wake,
    sendWebhooks: webhooks.wake,
    sendLeads: () => works.wake('leads'),
    sendMessages: () => works.wake('messages'),
    stop: () => running.disposeAsync(),
  }
}
