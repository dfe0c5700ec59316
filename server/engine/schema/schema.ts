// A company's objects and fields, cached per version. The current version comes with the actor of every call, so that
// no process works with an outdated schema.
import { sql } from 'kysely'
import { defaultGroup } from '../../../contract/built-in/field-groups.ts'
import type { FieldType } from '../../../contract/built-in/field-types.ts'
import type { Weekday } from '../../../contract/filter/moments.ts'
import type { FieldOption, ObjectColor, ObjectIcon } from '../../../contract/objects.ts'
import { countryOfLanguage } from '../../../contract/regions/countries.ts'
import type { Hours } from '../../../contract/working-hours.ts'
import type { Db } from '../../platform/db.ts'
import { type PipelineSchema, pipelinesSql, withPipelines } from './pipeline-schema.ts'
import type { Subscription } from './subscription.ts'

export type Field = {
  id: string
  object_id: string
  key: string
  label: string
  description: string
  type: FieldType
  is_multi: boolean
  is_required: boolean
  is_unique: boolean
  is_read_only: boolean
  is_built_in: boolean
  /** Code finds a built-in field by this, because its key differs if the company already used that key. */
  built_in_key: string | null
  options: FieldOption[] | null
  to_objects: string[] | null
  default_value: unknown
  slot: string | null
  position: number
  /** The heading under which it is shown; empty: none. */
  group: string
  archived_at: string | null
}
export type ObjectSchema = {
  id: string
  key: string
  label: string
  label_plural: string
  icon: ObjectIcon
  color: ObjectColor
  is_built_in: boolean
  built_in_key: string | null
  position: number
  archived_at: string | null
  /** Without archived fields, in order. */
  fields: Field[]
  byKey: Map<string, Field>
  archivedFields: Field[]
  /** By `built_in_key`; archived ones too. */
  builtIn: Map<string, Field>
}
export type Schema = {
  /** By key, including archived objects. */
  objects: Map<string, ObjectSchema>
  byId: Map<string, ObjectSchema>
  /** By `built_in_key`; archived ones too. */
  builtIn: Map<string, ObjectSchema>
  currency: string
  rates: Record<string, number>
  time_zone: string
  language: string
  /** The country of phone numbers without a country code, guessed from the language if the company has none. */
  country: string | undefined
  isCountryGuessed: boolean
  first_weekday: Weekday
  /** In order, with archived ones. The options of the fields pipeline and stage of deals. */
  pipelines: PipelineSchema[]
  /** Those that are active. */
  subscriptions: Subscription[]
  /** Minutes until the first response to a new lead is due; null: no target. */
  lead_response_minutes: number | null
  /** Of the company; null: always open. */
  working_hours: Hours | null
  lead_score_rules: { name: string; filter: string; points: number }[]
  /** New leads are sent on. */
  has_lead_routes: boolean
  /** Messages arrive somewhere; of the team: not only in mailboxes of single users. */
  has_channels: boolean
  has_team_channels: boolean
}

/** A schema takes about 60 kB, and reading it as long as ten queries. */
const mostCompanies = 2000
/** Those that were used last are at the end. */
const known = new Map<string, { version: number; schema: Promise<Schema> }>()

export function schemaOf(
  db: Db,
  { company_id, schema_version }: { company_id: string; schema_version: number },
): Promise<Schema> {
  const cached = known.get(company_id)
  known.delete(company_id)
  if (cached?.version === schema_version) {
    known.set(company_id, cached)
    return cached.schema
  }
  const schema = readSchema(db, company_id)
  known.set(company_id, { version: schema_version, schema })
  if (known.size > mostCompanies) known.delete(known.keys().next().value!)
  schema.catch(() => known.delete(company_id))
  return schema
}

/** For work without an actor, from whom the current version would come. */
export async function schemaOfCompany(db: Db, company_id: string): Promise<Schema> {
  const company = db.selectFrom('companies').select('schema_version').where('id', '=', company_id)
  return schemaOf(db, { company_id, ...(await company.executeTakeFirstOrThrow()) })
}

/** Changes to the schema wait for each other, and for writes of records that were checked against it. */
export async function holdSchema(db: Db, company_id: string) {
  await sql`select 1 from companies where id = ${company_id} for update`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtextextended(${company_id}::uuid::text, 1))`.execute(db)
}

type Row = Omit<ObjectSchema, 'fields' | 'byKey' | 'archivedFields' | 'builtIn'> & { fields: StoredField[] }
type StoredField = Omit<Field, 'group'> & { group_label: string | null }
type Company = Pick<
  Schema,
  | 'currency'
  | 'time_zone'
  | 'first_weekday'
  | 'language'
  | 'lead_response_minutes'
  | 'working_hours'
  | 'lead_score_rules'
  | 'has_lead_routes'
  | 'has_channels'
  | 'has_team_channels'
> & {
  country: string | null
  rates: Record<string, number> | null
  pipelines: PipelineSchema[] | null
  subscriptions: Subscription[] | null
}

/** Not cached: in a transaction that changes the schema, this returns the changed one. */
export async function readSchema(db: Db, company_id: string): Promise<Schema> {
  const { rows } = await sql<Row>`
    select o.id, o.key, o.label, o.label_plural, o.icon, o.color, o.is_built_in, o.built_in_key, o.position, o.archived_at,
      coalesce((select jsonb_agg(to_jsonb(f) - 'company_id' order by f.position, f.id) from fields f
        where f.company_id = ${company_id} and f.object_id = o.id), '[]') as fields
    from objects o where o.company_id = ${company_id} order by o.position, o.id`.execute(db)
  const { rows: companies } = await sql<Company>`
    select c.currency, c.time_zone, c.language, c.country, c.first_weekday, c.lead_response_minutes, c.lead_score_rules,
      (select w.hours from inbox_hours w where w.company_id = ${company_id} and w.scope_id = ${company_id}) as working_hours,
      exists (select from lead_routes l where l.company_id = ${company_id} and l.state <> 'paused') as has_lead_routes,
      exists (select from channels h where h.company_id = ${company_id}) as has_channels,
      exists (select from channels h where h.company_id = ${company_id} and h.owner_id is null and h.deleted_at is null) as has_team_channels,
      (select jsonb_object_agg(r.currency, r.rate) from currency_rates r where r.company_id = ${company_id}) as rates,
      ${pipelinesSql(company_id)} as pipelines,
      (select jsonb_agg(to_jsonb(s) - 'company_id' order by s.id) from subscriptions s
        where s.company_id = ${company_id} and s.is_active) as subscriptions
    from companies c where c.id = ${company_id}`.execute(db)
  const company = companies[0]!
  const pipelines = company.pipelines ?? []
  const objects = rows.map(({ fields: stored, ...object }): ObjectSchema => {
    const grouped = stored.map(({ group_label, ...field }) => ({
      ...field,
      group: group_label ?? defaultGroup(object.built_in_key, field.built_in_key),
    }))
    const fields = object.built_in_key === 'deals' ? grouped.map((field) => withPipelines(field, pipelines)) : grouped
    const used = fields.filter((field) => !field.archived_at)
    return {
      ...object,
      fields: used,
      byKey: new Map(used.map((field) => [field.key, field])),
      archivedFields: fields.filter((field) => field.archived_at),
      builtIn: byBuiltInKey(fields),
    }
  })
  return {
    ...company,
    pipelines,
    country: company.country ?? countryOfLanguage(company.language),
    isCountryGuessed: company.country === null,
    rates: company.rates ?? {},
    subscriptions: company.subscriptions ?? [],
    objects: new Map(objects.map((object) => [object.key, object])),
    byId: new Map(objects.map((object) => [object.id, object])),
    builtIn: byBuiltInKey(objects),
  }
}

const byBuiltInKey = <T extends { built_in_key: string | null }>(list: T[]) =>
  new Map(list.flatMap((one) => (one.built_in_key === null ? [] : [[one.built_in_key, one] as const])))

/** A built-in field, unless the company has archived it. */
export function builtInInUse(object: ObjectSchema, key: string): Field | undefined {
  const field = object.builtIn.get(key)
  return field?.archived_at ? undefined : field
}
