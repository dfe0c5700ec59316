// Everything that runs without a call: the background queue, the jobs that people see, deliveries to subscriptions, and webhooks.
import { startDeliveryRunner } from './deliveries/runner.ts'
import { startJobRunner } from './jobs/runner.ts'
import { deliveryHandlers, type JobServices, jobHandlers, jobs, liveMessagesOf, subscriptions } from './jobs.ts'
import { startWorker, type Worker } from './kernel/jobs.ts'
import { startWebhookSender } from './webhooks/sender.ts'

type Parts = Parameters<typeof startWorker>[0]

export async function startBackground(parts: Parts, services: JobServices): Promise<Worker & { sendWebhooks(): void }> {
  await using building = new AsyncDisposableStack()
  const runner = startJobRunner({ ...parts, handlers: jobHandlers(services) })
  building.defer(runner.stop)
  const { vault, outbound } = services
  const webhooks = startWebhookSender({ ...parts, vault, fetch: outbound.fetch })
  building.defer(webhooks.stop)
  const deliveries = startDeliveryRunner({
    ...parts,
    handlers: deliveryHandlers(services),
    delivered: (kind) => kind === 'webhook' && webhooks.wake(),
  })
  building.defer(deliveries.stop)
  const worker = await startWorker(parts, jobs(services), subscriptions, {
    liveMessagesOf,
    heard(event) {
      if (event === 'job.started') runner.wake()
      if (event === 'deliveries.queued') deliveries.wake()
      if (event === 'webhook.queued') webhooks.wake()
    },
  })
  building.defer(worker.stop)
  const running = building.move()
  return { wake: worker.wake, sendWebhooks: webhooks.wake, stop: () => running.disposeAsync() }
}
