// Background jobs that update many records, in small batches.
import type { EventPayload } from '../../../contract/shared/events.ts'
import { findActorById } from '../../accounts/users/queries.ts'
import { actAs } from '../../kernel/act-as.ts'
import type { Actor } from '../../kernel/context.ts'
import { announce } from '../../kernel/live-channel.ts'
import type { OutboxEvent } from '../../kernel/outbox.ts'
import type { BackgroundTasks } from '../../kernel/queue.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { updatePairs } from '../duplicates/pairs.ts'
import { assigneeOf } from '../rights/rights.ts'
import { type ObjectSchema, readSchema, type Schema, schemaOfCompany } from '../schema/schema.ts'
import type { Change } from '../values/change.ts'
import { type Stored, storedColumns } from '../values/from-row.ts'
import { rowOf } from '../values/to-row.ts'
import { saveChanges } from '../write/save.ts'
import { findAllDuplicates } from './find-all-duplicates.ts'
import { mergeCertain } from './merge-certain.ts'
import { convertChoices, reindex, reindexOutdated } from './reindex.ts'

const step = 200

export const recordTasks: BackgroundTasks = {
  /** Hands over the records and tasks of a user who leaves. */
  reassign_records: {
    async run({ db, now }, event: OutboxEvent) {
      const { user_id, reassign_to } = event.payload as EventPayload<'user.removed'>
      const { company_id } = event
      const by = event.actor_id && (await findActorById(db, company_id, event.actor_id))
      const actor = by || (await findActorById(db, company_id, reassign_to))
      if (!actor) return
      const schema = await readSchema(db, company_id)
      const { request_id } = event
      for (const object of schema.objects.values())
        while (await handOver(db, { schema, object, actor, request_id, now }, user_id, reassign_to));
    },
  },

  /** Amounts in other currencies are compared at the company's rates. */
  revalue_money: {
    run({ db }, { company_id }: OutboxEvent) {
      return reindex(db, company_id, (object) =>
        [...object.fields, ...object.archivedFields].some(({ type }) => type === 'money'),
      )
    },
  },

  /** The text of an archived field is removed from the search index; restoring the field adds it again. */
  reindex_object: {
    run({ db }, { company_id, payload }: OutboxEvent) {
      const { object: key } = payload as EventPayload<'object.reindexed'>
      return reindex(db, company_id, (object) => object.key === key)
    },
  },

  find_duplicates: {
    async run({ db, now }, { company_id, payload }: OutboxEvent) {
      const { object: key, record_ids } = payload as EventPayload<'record.comparison_changed'>
      const object = (await schemaOfCompany(db, company_id)).objects.get(key)
      if (!object) return
      await updatePairs(db, company_id, object, record_ids, now)
      await announce(db, [{ company_id, event: 'records', data: { object: key } }])
      await mergeCertain(db, company_id, object.id, now, record_ids)
    },
  },

  merge_certain_duplicates: {
    async run({ db, now }, { company_id }: OutboxEvent) {
      const { objects } = await schemaOfCompany(db, company_id)
      for (const { id } of objects.values()) await mergeCertain(db, company_id, id, now)
    },
  },

  /** Needed after an update of Kith that changes how records are stored. */
  reindex_outdated: {
    cron: '11 * * * *',
    atStart: true,
    async run({ db, now }) {
      await convertChoices(db)
      await reindexOutdated(db)
      await findAllDuplicates(db, now)
    },
  },
}

type Work = { schema: Schema; object: ObjectSchema; actor: Actor; request_id: string; now: Date }

/** Returns whether there may be more. */
function handOver(db: Db, { schema, object, actor, request_id, now }: Work, from: string, to: string) {
  return transaction(db, async (tx) => {
    const assignee = assigneeOf(object)
    const params = new Params()
    const who = params.add(from, 'uuid')
    const isTheirs = assignee?.slot
      ? `(r.owner_id = ${who} or r.${assignee.slot} = ${who}::text)`
      : `r.owner_id = ${who}`
    const rows = await run<Stored>(
      tx,
      `select ${storedColumns} from records r where r.company_id = ${params.add(actor.company_id, 'uuid')}
        and r.object_id = ${params.add(object.id, 'uuid')} and ${isTheirs}
        order by r.id limit ${step} for update`,
      params,
    )
    const changes = rows.map((before): Change => {
      const isAssigned = assignee && before.values[assignee.key] === from
      const values = isAssigned ? { ...before.values, [assignee.key]: to } : before.values
      const after = { ...before, values, owner_id: before.owner_id === from ? to : before.owner_id }
      const row = rowOf(schema, object, values)
      return { before, after, row: before.deleted_at ? { ...row, uniques: [] } : row }
    })
    await actAs(tx, { actor, request_id, task: 'reassignRecords', now }, (context) =>
      saveChanges({ context, schema, object }, changes, false),
    )
    return rows.length === step
  })
}
