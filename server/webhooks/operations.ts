import type { Parsed } from '../../contract/operation.ts'
import { isInboxEvent } from '../../contract/record-events.ts'
import type { webhooks } from '../../contract/webhooks.ts'
import { mostHeaders } from '../../contract/webhooks.ts'
import { findActorById } from '../accounts/users/queries.ts'
import { findObject, refuse, rightsFor } from '../engine/rights/rights.ts'
import { type ObjectSchema, type Schema, schemaOf } from '../engine/schema/schema.ts'
import {
  addSubscription,
  checkSubscription,
  deleteSubscription,
  missingField,
  updateSubscription,
} from '../engine/subscriptions/save.ts'
import { AppError, referenced, refused } from '../kernel/app-error.ts'
import { actorOf, type Context, may } from '../kernel/context.ts'
import { pageIn } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'
import { defined } from '../platform/defined.ts'
import { OutboundError } from '../platform/public-fetch.ts'
import { newSecret } from '../platform/standard-webhooks.ts'
import { hourMs } from '../platform/times.ts'
import type { Vault } from '../platform/vault.ts'
import { type DeliveryServices, deliveryOperations } from './delivery-operations.ts'
import { placeOf } from './endpoint.ts'
import { findRow, getShown, listShown, type WebhookRow } from './webhook.ts'

type Services = DeliveryServices & { vault: Vault; outbound: { check(url: string): unknown } }

export const webhookOperations = (services: Services): Handlers<typeof webhooks> => ({
  ...deliveryOperations(services),

  listWebhooks: async (context, page) => pageIn(await listShown(context), page),

  async createWebhook(context, given) {
    checkTarget(services, given.target_url)
    refuseMany(Object.keys(given.headers))
    refuseSilent(given)
    const { company_id, user_id } = actorOf(context)
    const subject = await subjectOf(context, given)
    const id = await addSubscription(context, {
      ...subject,
      kind: 'webhook',
      owner_id: user_id,
      name: given.description,
      actions: ['created', 'updated', 'deleted', 'restored'],
      fields: [],
      only_new_matches: false,
      made_by: 'anyone',
      notification_kind: 'record_matched',
      event_types: given.events,
      skip_bulk: given.skip_bulk,
    })
    const secret = newSecret()
    const place = { company_id, id }
    const values = {
      target_url: given.target_url,
      send_fields: given.fields,
      is_ordered: given.is_ordered,
      secret: services.vault.seal(secret, placeOf('secret', place)),
      ...sealedHeaders(services.vault, place, given.headers),
    }
    await context.db
      .insertInto('webhooks')
      .values({ ...place, ...values, created_at: context.now })
      .execute()
    note(context, id, 'webhook.created', given.target_url)
    return { ...(await getShown(context, id)), secret }
  },

  getWebhook: (context, { id }) => getShown(context, id),

  async updateWebhook(context, { id, headers: newHeaders, ...given }) {
    const row = await findRow(context, id)
    const before = await getShown(context, id)
    const place = { company_id: actorOf(context).company_id, id }
    if (given.target_url !== undefined) checkTarget(services, given.target_url)
    const wanted = { ...before, ...defined(given) }
    if (given.events !== undefined || given.object !== undefined) refuseSilent(wanted)
    const isAboutSubject = ['object', 'filter', 'filter_on', 'fields'].some((key) => key in defined(given))
    const subject = isAboutSubject ? await subjectOf(context, wanted) : {}
    const headers = mergedHeaders(services.vault, place, row, newHeaders, wanted.target_url)
    await updateSubscription(context, id, {
      ...subject,
      name: wanted.description,
      event_types: wanted.events,
      skip_bulk: wanted.skip_bulk,
    })
    const { target_url, fields: send_fields, is_ordered } = wanted
    await set(context, id, { target_url, send_fields, is_ordered, ...headers })
    note(context, id, 'webhook.updated', target_url)
    return getShown(context, id)
  },

  async deleteWebhook(context, { id }) {
    const { target_url } = await findRow(context, id)
    const { company_id } = actorOf(context)
    await deleteSubscription(context, id)
    const { db } = context
    await db
      .deleteFrom('webhook_deliveries')
      .where('company_id', '=', company_id)
      .where('webhook_id', '=', id)
      .execute()
    await db.deleteFrom('webhooks').where('company_id', '=', company_id).where('id', '=', id).execute()
    note(context, id, 'webhook.deleted', target_url)
    return {}
  },

  async pauseWebhook(context, { id }) {
    const { target_url } = await findRow(context, id)
    await updateSubscription(context, id, { is_active: false })
    note(context, id, 'webhook.paused', target_url)
    return getShown(context, id)
  },

  async resumeWebhook(context, { id }) {
    const { secret, target_url, owner_id } = await findRow(context, id)
    if (!secret)
      throw new AppError(
        'conflict',
        'The signing secret of this webhook was lost. Rotate it before you resume the webhook.',
      )
    const { company_id, user_id } = actorOf(context)
    const owner = await findActorById(context.db, company_id, owner_id)
    // Without the right, its owner could neither see nor stop it.
    const passed = owner && may(owner, 'webhooks.manage') ? {} : { owner_id: user_id }
    await updateSubscription(context, id, { is_active: true, ...passed })
    const fresh = { failures: 0, failing_since: null, retry_at: null, disabled_at: null, disabled_reason: null }
    await set(context, id, fresh)
    note(context, id, 'webhook.resumed', target_url)
    context.emit('webhook.queued', { webhook_id: id })
    return getShown(context, id)
  },

  async renewWebhookSecret(context, { id, overlap_hours }) {
    const row = await findRow(context, id)
    const secret = newSecret()
    const isOverlapping = overlap_hours > 0 && row.secret
    await set(context, id, {
      secret: services.vault.seal(secret, placeOf('secret', { company_id: actorOf(context).company_id, id })),
      old_secret: isOverlapping ? row.secret : null,
      old_secret_expires_at: isOverlapping ? new Date(context.now.getTime() + overlap_hours * hourMs) : null,
    })
    note(context, id, 'webhook.secret_replaced', row.target_url)
    return { ...(await getShown(context, id)), secret }
  },
})

type WebhookInput = Pick<Parsed<typeof webhooks.createWebhook>, 'object' | 'filter' | 'filter_on' | 'fields'>

/** Which records it is about, as the subscription stores it. */
async function subjectOf(context: Context, { object: key, filter, filter_on, fields }: WebhookInput) {
  const schema = await schemaOf(context.db, actorOf(context))
  if (!key) {
    if (filter) throw refused('filter', 'Choose an object: a filter is about the records of one object')
    if (fields) throw refused('fields', 'Choose an object: fields belong to one object')
    return { object_id: null, filter: null, filter_field_ids: null, filter_on }
  }
  const object = await referenced('object', () => readableObject(context, schema, key))
  const missing = missingField(context, object, fields ?? [])
  if (missing) throw refused(`fields.${missing.index}`, missing.message)
  const checked = await checkSubscription(context, schema, object, { filter, filter_on, only_new_matches: false })
  return { object_id: object.id, filter_on, ...checked }
}

function readableObject(context: Context, schema: Schema, key: string): ObjectSchema {
  const object = findObject(schema, actorOf(context), key)
  if (rightsFor(actorOf(context), key).read === 'none') throw refuse(actorOf(context), 'read', object)
  return object
}

function refuseSilent({ object, events }: Pick<Parsed<typeof webhooks.createWebhook>, 'object' | 'events'>) {
  if (object && events.every(isInboxEvent))
    throw refused('events', 'Events of the inbox are only sent to webhooks without an object. Remove the object')
}

function checkTarget({ outbound }: Services, url: string) {
  try {
    outbound.check(url)
  } catch (error) {
    if (error instanceof OutboundError) throw refused('target_url', error.message.replace(/\.$/, ''))
    throw error
  }
}

type WebhookRef = { company_id: string; id: string }

function sealedHeaders(vault: Vault, place: WebhookRef, headers: Record<string, string>) {
  const header_names = Object.keys(headers)
  if (!header_names.length) return { headers: null, header_names }
  return { headers: vault.seal(JSON.stringify(headers), placeOf('headers', place)), header_names }
}

/** Stored values go only to the server that they were entered for. */
function mergedHeaders(
  vault: Vault,
  place: WebhookRef,
  row: WebhookRow,
  given: Record<string, string | null> = {},
  target_url: string,
) {
  const stored: Record<string, string> = row.headers
    ? JSON.parse(vault.open(row.headers, placeOf('headers', place)))
    : {}
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()))
  const kept = Object.entries(stored).filter(([name]) => !names.has(name.toLowerCase()))
  if (kept.length && new URL(row.target_url).origin !== new URL(target_url).origin)
    throw refused(
      'headers',
      `The address has a new host, so enter the values of these headers again or remove them: ${kept.map(([name]) => name).join(', ')}`,
    )
  const added = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null)
  const headers = Object.fromEntries([...kept, ...added])
  refuseMany(Object.keys(headers))
  return sealedHeaders(vault, place, headers)
}

function refuseMany(names: string[]) {
  if (names.length > mostHeaders) throw refused('headers', `Use at most ${mostHeaders} headers`)
  const lower = names.map((name) => name.toLowerCase())
  const twice = lower.find((name, i) => lower.indexOf(name) !== i)
  if (twice) throw refused('headers', `The header ${twice} appears twice`)
}

async function set(context: Context, id: string, values: object) {
  await context.db
    .updateTable('webhooks')
    .set(values)
    .where('company_id', '=', actorOf(context).company_id)
    .where('id', '=', id)
    .execute()
}

type Noted = 'created' | 'updated' | 'deleted' | 'paused' | 'resumed' | 'secret_replaced'

function note(context: Context, id: string, action: `webhook.${Noted}`, target_url: string) {
  context.emit('webhook.changed', { webhook_id: id })
  // Without path and query, which may contain a secret.
  context.audit(action, { target_id: id, data: { host: new URL(target_url).host } })
}
