// Turns the options of the fields pipeline and stage into pipelines and stages, once per company. Pipelines used to share
// all stages: each now gets stages of its own, and deals keep both their pipeline and the name of their stage.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { builtIn, startStages } from '../../../../contract/built-in/objects.ts'
import type { FieldOption } from '../../../../contract/objects.ts'
import { own } from '../../../../contract/shared/own.ts'
import { insertingJson, Params, run } from '../../../kernel/statement.ts'
import type { Db } from '../../../platform/db.ts'
import { type Field, readSchema } from '../../schema/schema.ts'
import { backfillStageHistory, type DealFields } from './backfill-stage-history.ts'
import { type SharedStage, widenStageFilters } from './widen-stage-filters.ts'

/** Deals of this pipeline in this stage. */
type Use = { pipeline: string | null; stage: string | null; count: number }
type NewStage = { option: FieldOption; pipeline: string; key: string; shared_key: string | null }

/** In the transaction that updates the built-in objects. */
export async function addFirstPipelines(db: Db, company_id: string, isNew: boolean) {
  const { pipelines, builtIn } = await readSchema(db, company_id)
  const deals = builtIn.get('deals')
  const [pipeline, stage] = [deals?.builtIn.get('pipeline'), deals?.builtIn.get('stage')]
  if (pipelines.length || !deals || !pipeline || !stage) return
  await sql`set local statement_timeout = 0`.execute(db)
  const fields = { company_id, deals, pipeline, stage }
  const options = pipeline.options?.length ? pipeline.options : [{ key: 'sales', label: 'Sales' }]
  const first = options.find(({ key }) => key === pipeline.default_value) ?? options[0]!
  const ordered = [first, ...options.filter((option) => option !== first)]
  const uses = isNew ? [] : await usesOf(db, fields)
  const stages = newStages(ordered, stage.options ?? [], uses)
  await insert(db, fields, ordered, stages, isNew)
  for (const use of uses) await moveDeals(db, fields, use, stages)
  if (isNew) return
  await backfillStageHistory(db, fields)
  await widenStageFilters(db, fields, sharedAmong(stages))
}

async function usesOf(db: Db, { company_id, deals, pipeline, stage }: DealFields) {
  const { rows } =
    await sql<Use>`select values ->> ${pipeline.key} as pipeline, values ->> ${stage.key} as stage, count(*)::int as count
    from records where company_id = ${company_id} and object_id = ${deals.id} group by 1, 2`.execute(db)
  return rows
}

/** A stage belongs to the first pipeline, unless a company added it and only deals of another pipeline are in it. */
function newStages(pipelines: FieldOption[], options: FieldOption[], uses: Use[]): NewStage[] {
  const known = new Set(pipelines.map(({ key }) => key))
  const first = pipelines[0]!.key
  const homeOf = ({ key }: FieldOption) => {
    const users = uses.filter((use) => use.stage === key && use.pipeline !== null && known.has(use.pipeline))
    const isOfFirst = startKeys.has(key) || users.some(({ pipeline }) => pipeline === first)
    return (!isOfFirst && users.toSorted((a, b) => b.count - a.count)[0]?.pipeline) || first
  }
  const homes = new Map(options.map((option) => [option.key, homeOf(option)]))
  const taken = new Set(options.map(({ key }) => key))
  return pipelines.flatMap(({ key: pipeline }) => {
    const isUsed = (option: FieldOption) => uses.some((use) => use.pipeline === pipeline && use.stage === option.key)
    const hasOwn = options.some((option) => homes.get(option.key) === pipeline && kindOf(option) === 'open')
    const isCopied = (option: FieldOption) =>
      isUsed(option) || kindOf(option) !== 'open' || (!hasOwn && homes.get(option.key) === first)
    const stages = options.flatMap((option): NewStage[] => {
      if (homes.get(option.key) === pipeline) return [{ option, pipeline, key: option.key, shared_key: null }]
      if (pipeline === first || !isCopied(option)) return []
      return [{ option, pipeline, key: freeKey(`${pipeline}_${option.key}`, taken), shared_key: option.key }]
    })
    const isOpen = ({ option }: NewStage) => kindOf(option) === 'open'
    const added = { option: { key: 'new', label: 'New' }, pipeline, shared_key: null }
    return stages.some(isOpen) ? stages : [{ ...added, key: freeKey(`${pipeline}_new`, taken) }, ...stages]
  })
}

/** The stages that every company started with. */
const startKeys = new Set(builtIn.deals.fields.find(({ key }) => key === 'stage')!.options!.map(({ key }) => key))

function sharedAmong(stages: NewStage[]): SharedStage[] {
  const copied = Map.groupBy(
    stages.filter(({ shared_key }) => shared_key !== null),
    ({ shared_key }) => shared_key!,
  )
  return [...copied].map(([key, copies]) => ({
    key,
    label: copies[0]!.option.label,
    keys: [key, ...copies.map((copy) => copy.key)],
  }))
}

const kindOf = ({ kind = 'open' }: FieldOption) => kind

function freeKey(base: string, taken: Set<string>) {
  let key = base.slice(0, 63)
  for (let n = 2; taken.has(key); n++) key = `${base.slice(0, 58)}_${n}`
  taken.add(key)
  return key
}

async function insert(db: Db, { company_id }: DealFields, options: FieldOption[], stages: NewStage[], isNew: boolean) {
  const usual = { open: null, won: 100, lost: 0 }
  const pipelines = options.map(({ key, label }, position) => ({
    company_id,
    id: randomUUIDv7(),
    key,
    name: label,
    position,
    // Those who move deals in existing companies may not know how to give a reason.
    asks_lost_reason: isNew,
  }))
  const rows = stages.map(({ option, pipeline, key, shared_key }, position) => ({
    company_id,
    id: randomUUIDv7(),
    key,
    name: option.label,
    position,
    shared_key,
    pipeline_id: pipelines.find((one) => one.key === pipeline)!.id,
    color: option.color ?? 'gray',
    kind: kindOf(option),
    required_fields: [],
    probability: usual[kindOf(option)],
    stuck_after_days: null,
    ...(isNew && own(startStages, key)),
  }))
  for (const [table, list] of [
    ['pipelines', pipelines],
    ['stages', rows],
  ] as const) {
    const params = new Params()
    await run(db, insertingJson(table, list)(params), params)
  }
}

/** Deals in a stage of another pipeline move to the stage of that name in their own. */
async function moveDeals(db: Db, fields: DealFields, use: Use, stages: NewStage[]) {
  const { company_id, deals, pipeline, stage } = fields
  const own = stages.find((one) => one.pipeline === use.pipeline && (one.shared_key ?? one.key) === use.stage)
  const home = own ?? stages.find(({ key }) => key === use.stage)
  if (!home || (home.key === use.stage && home.pipeline === use.pipeline)) return
  const set = assigning([
    [pipeline, home.pipeline],
    [stage, home.key],
  ])
  await sql`update records t set ${set}
    where company_id = ${company_id} and object_id = ${deals.id} and values ->> ${stage.key} = ${use.stage}
    and values ->> ${pipeline.key} is not distinct from ${use.pipeline}`.execute(db)
}

/** Sets values of records `t` together with their comparable form. */
function assigning(list: [Field, string | null][]) {
  const json = (pairs: typeof list) =>
    sql`${JSON.stringify(Object.fromEntries(pairs.map(([{ key }, value]) => [key, value])))}::jsonb`
  const inSlots = list.flatMap(([{ slot }, value]) => (slot ? [sql`${sql.ref(slot)} = ${value}`] : []))
  const others = list.filter(([{ slot }]) => !slot)
  return sql.join([
    sql`values = t.values || ${json(list)}`,
    ...inSlots,
    ...(others.length ? [sql`match = t.match || ${json(others)}`] : []),
  ])
}
