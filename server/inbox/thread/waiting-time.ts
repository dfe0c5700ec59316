// How long conversations of the team wait: an opening lasts from when an outsider began or reopened a conversation until it
// is closed. Called after everything that changes the state of conversations or answers them; what is already known
// changes nothing.
import { randomUUIDv7 } from 'node:crypto'
import { insertingJson, joining, Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import { addWorkingTime, workingTimeBetween } from '../../platform/working-time.ts'
import { type Plan, plansOf } from '../../working-hours/queries.ts'

export type Opening = {
  company_id: string
  id: string
  conversation_id: string
  channel_id: string
  assignee_id: string | null
  opened_at: Date
  response_target: number | null
  resolution_target: number | null
  response_due_at: Date | null
  responded_at: Date | null
  responded_by: string | null
  response_seconds: number | null
  resolution_due_at: Date | null
  closed_at: Date | null
  closed_by: string | null
  resolution_seconds: number | null
  paused_at: Date | null
  paused_seconds: number
  response_missed_at: Date | null
  resolution_missed_at: Date | null
  due_at: Date | null
  is_left_out: boolean
}

type Found = {
  id: string
  channel_id: string
  state: string
  assignee_id: string | null
  merged_into: string | null
  response_due_at: Date | null
  resolution_due_at: Date | null
  /** The last one. */
  opening: StoredOpening | null
  responded_at: Date | null
  responded_by: string | null
}
type StoredOpening = { [Key in keyof Opening]: Opening[Key] extends Date | null ? string | null : Opening[Key] }

/** `opened`: conversations that an outsider just began or reopened, and when. `by`: the user who changed the state. */
export type News = { opened?: Map<string, Date>; by?: string | null }

export async function followOpenings(
  db: Db,
  company_id: string,
  conversation_ids: string[],
  now: Date,
  { opened = new Map(), by = null }: News = {},
) {
  const found = conversation_ids.length ? await findOpenings(db, company_id, conversation_ids, opened) : []
  if (!found.length) return
  const plans = await plansOf(db, company_id)
  const [added, changed, due]: [Opening[], Opening[], Due[]] = [[], [], []]
  for (const one of found) {
    const before = one.opening && readOpening(one.opening)
    const plan = plans.of(one.channel_id)
    const after = nextOpening(one, before, plan, { now, by, opened_at: opened.get(one.id), company_id })
    if (!after) continue
    withTimes(after, one, plan)
    if (!before || before.id !== after.id) added.push(after)
    else if (isChanged(before, after)) changed.push(after)
    const shown = shownDue(company_id, one.id, after)
    if (isChanged({ ...shown, ...duesOf(one) }, shown)) due.push(shown)
  }
  await write(db, added, changed, due)
}

type Happened = { now: Date; by: string | null; opened_at: Date | undefined; company_id: string }

function nextOpening(one: Found, before: Opening | null, { schedule }: Plan, happened: Happened): Opening | undefined {
  const { now, by, opened_at, company_id } = happened
  const isDropped = one.state === 'spam' || one.merged_into !== null
  const isClosed = one.state === 'closed' || isDropped
  const isSnoozed = one.state === 'snoozed'
  const worked = (from: Date) => Math.round(workingTimeBetween(schedule, from, now) / 1000)
  if (before && !before.closed_at) {
    const after = { ...before, assignee_id: one.assignee_id, channel_id: one.channel_id }
    if (after.paused_at && !isSnoozed) {
      after.paused_seconds += worked(after.paused_at)
      after.paused_at = null
    }
    if (isSnoozed) after.paused_at ??= now
    if (isClosed)
      Object.assign(after, {
        closed_at: now,
        closed_by: by,
        is_left_out: isDropped,
        resolution_seconds: Math.max(0, worked(after.opened_at) - after.paused_seconds),
      })
    return after
  }
  if (isClosed) return before ?? undefined
  if (opened_at) return begin(company_id, one, opened_at)
  // Someone of us opened it again: it was not done yet. The time in between does not count.
  if (!before) return undefined
  return {
    ...before,
    assignee_id: one.assignee_id,
    closed_at: null,
    closed_by: null,
    resolution_seconds: null,
    is_left_out: false,
    paused_seconds: before.paused_seconds + worked(before.closed_at!),
    paused_at: isSnoozed ? now : null,
  }
}

const begin = (company_id: string, { id, channel_id, assignee_id }: Found, opened_at: Date): Opening => ({
  company_id,
  id: randomUUIDv7(),
  conversation_id: id,
  channel_id,
  assignee_id,
  opened_at,
  response_target: null,
  resolution_target: null,
  response_due_at: null,
  resolution_due_at: null,
  responded_at: null,
  responded_by: null,
  response_seconds: null,
  closed_at: null,
  closed_by: null,
  resolution_seconds: null,
  paused_at: null,
  paused_seconds: 0,
  response_missed_at: null,
  resolution_missed_at: null,
  due_at: null,
  is_left_out: false,
})

/** The response, and when the targets have to be met. A target that was met or missed stays as it was. */
function withTimes(opening: Opening, found: Found, { schedule, targets }: Plan) {
  const dueAfter = (minutes: number | null, more = 0) =>
    minutes === null ? null : addWorkingTime(schedule, opening.opened_at, minutes * 60_000 + more * 1000)
  if (!opening.responded_at && !opening.response_missed_at && !opening.closed_at) {
    opening.response_target = targets.response_minutes
    opening.response_due_at = dueAfter(targets.response_minutes)
  }
  if (!opening.responded_at && found.responded_at && found.responded_at >= opening.opened_at) {
    const { responded_at, responded_by } = found
    const spent = workingTimeBetween(schedule, opening.opened_at, responded_at)
    Object.assign(opening, { responded_at, responded_by, response_seconds: Math.round(spent / 1000) })
  }
  if (!opening.resolution_missed_at && !opening.closed_at) {
    opening.resolution_target = targets.resolution_minutes
    opening.resolution_due_at = opening.paused_at ? null : dueAfter(targets.resolution_minutes, opening.paused_seconds)
  }
  opening.due_at = earliest(
    opening.responded_at || opening.response_missed_at || opening.closed_at ? null : opening.response_due_at,
    opening.resolution_missed_at || opening.closed_at ? null : opening.resolution_due_at,
  )
}

const earliest = (...dates: (Date | null)[]) =>
  dates.filter((date) => date !== null).toSorted((a, b) => +a - +b)[0] ?? null

type Due = { company_id: string; id: string; response_due_at: Date | null; resolution_due_at: Date | null }

/** What the conversation shows. */
const shownDue = (company_id: string, id: string, opening: Opening): Due => ({
  company_id,
  id,
  response_due_at: opening.responded_at || opening.closed_at ? null : opening.response_due_at,
  resolution_due_at: opening.closed_at || opening.paused_at ? null : opening.resolution_due_at,
})
const duesOf = ({ response_due_at, resolution_due_at }: Found) => ({ response_due_at, resolution_due_at })

const isChanged = (before: object, after: object) => JSON.stringify(before) !== JSON.stringify(after)

const moments = [
  'opened_at',
  'response_due_at',
  'responded_at',
  'resolution_due_at',
  'closed_at',
  'paused_at',
  'response_missed_at',
  'resolution_missed_at',
  'due_at',
] as const

function readOpening(stored: StoredOpening): Opening {
  const times = moments.map((key) => {
    const text = stored[key as keyof StoredOpening]
    return [key, text === null ? null : new Date(text as string)]
  })
  return { ...stored, ...Object.fromEntries(times) } as Opening
}

/** Conversations of the team, with their last opening and the first answer since then. Locked. */
function findOpenings(db: Db, company_id: string, ids: string[], opened: Map<string, Date>) {
  const params = new Params()
  const company = params.add(company_id, 'uuid')
  const begun = [...opened.keys()]
  return run<Found>(
    db,
    `with news as (select * from unnest(${params.add(begun, 'uuid[]')}, ${params.add([...opened.values()], 'timestamptz[]')}) n(id, at))
    select c.id, c.channel_id, c.state, c.assignee_id, c.merged_into, c.response_due_at, c.resolution_due_at,
      to_jsonb(o) as opening, m.at as responded_at, m.user_id as responded_by
    from conversations c
    left join lateral (select o.* from conversation_openings o where o.company_id = ${company} and o.conversation_id = c.id
      order by o.opened_at desc, o.id desc limit 1) o on true
    left join news n on n.id = c.id
    left join lateral (select m.at, m.user_id from messages m where m.company_id = ${company} and m.conversation_id = c.id
      and m.kind = 'message' and m.direction = 'out' and not m.is_automatic and m.state in ('sent', 'delivered', 'read')
      and m.at >= coalesce(case when o.closed_at is null then o.opened_at end, n.at, o.opened_at) order by m.at limit 1) m on true
    where c.company_id = ${company} and c.audience = ${company} and c.id = any(${params.add(ids, 'uuid[]')})
    order by c.id for update of c`,
    params,
  )
}

async function write(db: Db, added: Opening[], changed: Opening[], due: Due[]) {
  if (added.length) {
    const params = new Params()
    await run(db, insertingJson('conversation_openings', added)(params), params)
  }
  if (changed.length) {
    const params = new Params()
    const names = Object.keys(changed[0]!).filter((name) => name !== 'id' && name !== 'company_id')
    const { from, where } = joining('conversation_openings', changed, { id: 'uuid' }, params)
    await run(
      db,
      `update conversation_openings t set ${names.map((name) => `${name} = x.${name}`).join(', ')} from ${from} where ${where}`,
      params,
    )
  }
  if (!due.length) return
  const params = new Params()
  const { from, where } = joining('conversations', due, { id: 'uuid' }, params)
  await run(
    db,
    `update conversations t set response_due_at = x.response_due_at, resolution_due_at = x.resolution_due_at
      from ${from} where ${where}`,
    params,
  )
}
