import type { webhooks } from '../../contract/webhooks.ts'
import type { JobHandler } from '../jobs/job.ts'
import { AppError } from '../kernel/app-error.ts'
import type { Handlers } from '../kernel/run.ts'

const soon = async (): Promise<never> => {
  throw new AppError('unavailable', 'Webhooks are not ready yet.')
}

export const replayStep: JobHandler = soon

export const webhookOperations: Handlers<typeof webhooks> = {
  listWebhooks: soon,
  createWebhook: soon,
  getWebhook: soon,
  updateWebhook: soon,
  deleteWebhook: soon,
  pauseWebhook: soon,
  resumeWebhook: soon,
  rotateWebhookSecret: soon,
  testWebhook: soon,
  listWebhookDeliveries: soon,
  getWebhookDelivery: soon,
  resendWebhookDelivery: soon,
  resendFailedDeliveries: soon,
  replayWebhookEvents: soon,
}
