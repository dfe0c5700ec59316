import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { gateways, oldSecretHours } from '../../../contract/gateways.ts'
import { renewSubscriptions } from '../../engine/subscriptions/save.ts'
import type { Files } from '../../files/queries.ts'
import { lockChannels } from '../../inbox/channels/add.ts'
import type { ChannelKinds } from '../../inbox/channels/channel.ts'
import { describeChannel, describeWithDetails } from '../../inbox/channels/describe.ts'
import { findChannel, ownChannel } from '../../inbox/channels/find.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import type { Log } from '../../platform/log.ts'
import type { Offload } from '../../platform/offload.ts'
import { type Outbound, OutboundError } from '../../platform/public-fetch.ts'
import { newSecret } from '../../platform/standard-webhooks.ts'
import { hourMs } from '../../platform/times.ts'
import type { Vault } from '../../platform/vault.ts'
import { channelAt, type GatewayChannel, openChannel, sealChannel } from '../gateway/find-channel.ts'
import { noteTested, noting } from '../gateway/health.ts'
import { addressOf } from '../gateway/public-id.ts'
import { sendWaiting } from '../gateway/send-waiting.ts'
import { createPostStore } from '../gateway/store-posts.ts'
import { refuseReplay, waitForOutgoing } from './fetch-outgoing.ts'
import { bodyOf } from './parse-post.ts'
import { itemsOf } from './read.ts'
import { type ApiSecrets, type ApiSettings, digestOf, keysOf, verify } from './secret.ts'
import { post, wordsFor } from './send.ts'
import { createGatewayWaiting, type GatewayWaiting } from './waiting-gateways.ts'

type Services = {
  vault: Vault
  outbound: Outbound
  baseUrl: URL
  files: Files
  offload: Offload
  channelKinds: ChannelKinds
  gatewayWaiting?: GatewayWaiting
  log: Log
}

export function apiChannelOperations(services: Services): Handlers<typeof gateways> {
  const { vault, outbound, offload, baseUrl, gatewayWaiting = createGatewayWaiting(services.log) } = services
  const take = createPostStore(services)
  return {
    async connectApiChannel(context, { name, address, webhook_url, unknown_senders }) {
      const { company_id, user_id } = actorOf(context)
      checkAddress(outbound, webhook_url)
      await lockChannels(context)
      const id = randomUUIDv7()
      const secret = newSecret()
      const settings: ApiSettings = { webhook_url }
      await sql`insert into channels (company_id, id, kind, name, address, settings, secrets, unknown_senders, agents,
          hourly_limit, is_polled, created_at, created_by)
        values (${company_id}, ${id}, 'api', ${name}, ${address}, ${JSON.stringify(settings)}::jsonb,
          ${sealChannel(vault, { company_id, id }, { secret })}, ${unknown_senders}, 'draft', 1000, ${webhook_url === null},
          ${context.now}, ${user_id})`.execute(context.db)
      // From now on, writes of people look for their messages.
      await renewSubscriptions(context.db, company_id)
      context.emit('channel.changed', { channel_id: id, user_id: null })
      context.audit('channel.connected', { target_id: id, data: { kind: 'api', name } })
      const addressFor = (path: string) => addressOf(baseUrl, company_id, id, path)
      return {
        channel: describeChannel(context, await findChannel(context, id)),
        secret,
        post_address: addressFor('messages'),
        fetch_address: addressFor('outgoing'),
      }
    },

    async updateApiChannel(context, { id, webhook_url }) {
      const row = await apiChannel(context, id)
      checkAddress(outbound, webhook_url)
      const before = row.settings as ApiSettings
      const settings: ApiSettings = { ...before, webhook_url }
      await sql`update channels set settings = ${JSON.stringify(settings)}::jsonb, is_polled = ${webhook_url === null},
          retry_at = null
        where company_id = ${row.company_id} and id = ${id}`.execute(context.db)
      if (webhook_url !== before.webhook_url) {
        // Nothing is known about the new address yet.
        await sql`update channels set state = 'connecting', state_reason = null, state_at = ${context.now},
            failure_told_at = null
          where company_id = ${row.company_id} and id = ${id} and state = 'failing'`.execute(context.db)
        await sendWaiting(context, row)
      }
      context.emit('channel.changed', { channel_id: id, user_id: null })
      context.emit('message.queued', {})
      context.audit('channel.updated', { target_id: id, data: { has_webhook: webhook_url !== null } })
      return describeWithDetails(context, baseUrl, await findChannel(context, id))
    },

    async renewChannelSecret(context, { id }) {
      const row = await apiChannel(context, id)
      const secret = newSecret()
      const expires_at = new Date(context.now.getTime() + oldSecretHours * hourMs).toISOString()
      const before = openChannel<ApiSecrets>(vault, row)
      const secrets: ApiSecrets = { secret, ...(before && { old: { secret: before.secret, expires_at } }) }
      const settings: ApiSettings = { ...(row.settings as ApiSettings), old_secret_expires_at: expires_at }
      await sql`update channels set secrets = ${sealChannel(vault, row, secrets)}, settings = ${JSON.stringify(settings)}::jsonb
        where company_id = ${row.company_id} and id = ${id}`.execute(context.db)
      context.emit('channel.changed', { channel_id: id, user_id: null })
      context.audit('channel.secret_changed', { target_id: id })
      return { secret, old_secret_expires_at: expires_at }
    },

    testApiChannel: prepared(
      gateways.testApiChannel,
      async (context, { id }) => {
        const row = await apiChannel(context, id)
        const { webhook_url } = row.settings as ApiSettings
        if (!webhook_url)
          throw new AppError('conflict', 'This channel has no webhook URL: its gateway fetches messages.')
        const began = performance.now()
        const msSince = () => Math.round(performance.now() - began)
        const body = JSON.stringify({ type: 'test', channel_id: id, at: context.now.toISOString() })
        try {
          const parts = { db: context.db, vault, fetch: outbound.fetch, clock: () => context.now }
          const answer = await post(parts, row, webhook_url, `test-${randomUUIDv7()}`, body)
          if (!answer) throw new AppError('conflict', 'The secret of this channel was lost. Rotate it.')
          const { status } = answer
          const is_success = status >= 200 && status < 300
          if (is_success) await noteTested(context.db, row, context.now)
          return { is_success, status, ms: msSince(), reason: is_success ? null : wordsFor(status) }
        } catch (error) {
          if (!(error instanceof OutboundError)) throw error
          return { is_success: false, status: null, ms: msSince(), reason: error.message }
        }
      },
      async (_context, _input, result) => result,
    ),

    postToChannel: {
      before: (context, { id }) =>
        signed(context, vault, id, async (channel, post_id, body) => {
          const items = await itemsOf({ offload, fetch: outbound.fetch }, channel.company_id, body, context.now)
          const post = { id: post_id, digest: digestOf(body), items }
          return { items: await take({ db: context.db, channel, post, now: context.now }) }
        }),
      atOnce: true,
      handle: async (_context, _input, answer) => answer,
    },

    fetchOutgoing: {
      before: (context, { id }) =>
        signed(context, vault, id, async (channel, post_id, body) => {
          const wanted = bodyOf(gateways.fetchOutgoing.signedBody!, body) as { limit: number; wait_seconds: number }
          if (!channel.is_polled)
            throw new AppError(
              'conflict',
              'This channel posts messages to a webhook URL. Remove the URL to fetch them.',
            )
          await refuseReplay(context.db, channel, post_id, digestOf(body), context.now)
          return { items: await waitForOutgoing(context, { ...services, gatewayWaiting }, channel, wanted) }
        }),
      atOnce: true,
      handle: async (_context, _input, answer) => answer,
    },
  }
}

/** Of what is signed with the secret of the channel. */
async function signed<T>(
  context: Context,
  vault: Vault,
  publicId: string,
  work: (channel: GatewayChannel, post_id: string, body: Buffer) => Promise<T>,
) {
  const { now } = context
  const channel = await channelAt(context, 'api', publicId)
  return noting(context, channel, async () => {
    const { body } = context.signed!
    return work(channel, verify(keysOf(vault, channel, now), context.signed!, now), body)
  })
}

async function apiChannel(context: Context, id: string) {
  const row = await ownChannel(context, id)
  if (row.kind !== 'api' || row.disconnected_at)
    throw new AppError('conflict', 'This is not an API channel, or it is disconnected.')
  return row
}

function checkAddress({ check }: Outbound, url: string | null) {
  if (url === null) return
  try {
    check(url)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new AppError('invalid_input', error.message, { errors: [{ path: 'webhook_url', message: error.message }] })
  }
}
