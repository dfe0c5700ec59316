// What an old database holds, by SQL that its schema allows, in the shape in which today's API answers.
import type { Old } from './released.ts'

type Row = Record<string, unknown>
export type StoredRecord = Row & { id: string; values: Row }
export type StoredObject = Row & { key: string; fields: (Row & { key: string })[] }
export type Before = Awaited<ReturnType<typeof readBefore>>

const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const field = `jsonb_build_object('key', f.key, 'label', f.label, 'description', f.description, 'is_multi', f.is_multi,
  'is_required', f.is_required, 'is_unique', f.is_unique, 'is_archived', f.archived_at is not null,
  'options', f.options, 'to_objects', f.to_objects)`

export async function readBefore({ ownerPool }: Old) {
  const all = async <T extends Row>(text: string) => (await ownerPool.query<T>(text)).rows
  const acme = `company_id = (select id from companies where name = 'Acme GmbH')`
  return {
    company: (
      await all(
        `select id, name, currency, time_zone, language, first_weekday, trash_days, request_days, logo_id,
          ${moment('created_at')} as created_at from companies where name = 'Acme GmbH'`,
      )
    )[0]!,
    users: await all(`select u.id, u.name, email, r.name as role from users u join roles r on r.id = role_id
      where u.${acme} and removed_at is null order by u.id`),
    roles: await all(`select id, name, grants, records from roles where ${acme} and not is_admin order by id`),
    keys: await all(`select id, name, user_id from api_keys where ${acme} and deleted_at is null order by id`),
    objects: await all<StoredObject>(`select o.key, o.label, o.label_plural, o.archived_at is not null as is_archived,
      (select jsonb_agg(${field}) from fields f where f.object_id = o.id) as fields from objects o where o.${acme}`),
    records: await all<StoredRecord & { object: string; is_deleted: boolean }>(
      `select r.id, o.key as object, r.values, r.version, r.title, r.owner_id as owner, r.created_by, r.deleted_at is not null as is_deleted,
        ${moment('r.created_at')} as created_at, ${moment('r.updated_at')} as updated_at
      from records r join objects o on o.id = r.object_id where r.${acme} order by r.id`,
    ),
    views: await all(`select v.id, o.key as object, v.name, is_shared, owner_id, filter, sort, columns, layout
      from views v join objects o on o.id = v.object_id where v.${acme} order by v.id`),
    changes: await all<
      Row & { id: string }
    >(`select id, ${moment('at')} as at, operation, actor_id, door, api_key_id, client, undo_of, undone_by,
      (select coalesce(jsonb_agg(jsonb_build_object('object', object, 'record_id', record_id, 'action', action, 'fields', fields)
          order by position), '[]') from changes c where c.change_set_id = s.id) as changes
      from change_sets s where ${acme} order by id`),
    notifications: await all(`select n.id, n.kind, ${moment('at')} as at, read_at is not null as is_read
      from notifications n join users u on u.id = n.user_id where u.email = 'ada@acme.example' order by n.id`),
    audit: await all(
      `select id, ${moment('at')} as at, action, actor_id, door, ip, data from audit_events where ${acme} order by id`,
    ),
  }
}

/** A related record is shown with its title; in its row there is only its id. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  return value && typeof value === 'object' && 'id' in value ? value.id : value
}

export async function everyPage<T>(read: (cursor?: string) => Promise<{ items: T[]; next_cursor: string | null }>) {
  const all: T[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await read(cursor)
    all.push(...page.items)
    cursor = page.next_cursor
  }
  return all
}
