import { clockAt } from '../../../contract/filter/zones.ts'
import { me } from '../../../contract/me.ts'
import { mostRecords } from '../../../contract/records.ts'
import { keyRate, mostAnswerBytes } from '../../../contract/shared/limits.ts'
import { companyOf } from '../../company/queries.ts'
import type { Files } from '../../files/queries.ts'
import { AppError } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Context, type Patch } from '../../kernel/context.ts'
import { differences } from '../../kernel/differences.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import { keepPicture, replacePicture } from '../../pictures/queries.ts'
import { listRequestsOf } from '../../requests/queries.ts'
import { meOf } from '../users/queries.ts'

export const meOperations = ({ files }: { files: Files }): Handlers<typeof me> => ({
  async whoami(context) {
    const actor = actorOf(context)
    const { currency, rates, time_zone } = await companyOf(context.db, actor)
    const effective_time_zone = actor.time_zone ?? time_zone
    return {
      ...meOf(actor),
      effective_time_zone,
      current_time: timeIn(effective_time_zone, context.now),
      weekday: new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: effective_time_zone }).format(context.now),
      currency,
      rates,
      api_key: await keyOf(context),
      limits: {
        requests_per_second: keyRate.perSecond,
        burst: keyRate.burst,
        records_per_call: mostRecords,
        answer_bytes: mostAnswerBytes,
      },
    }
  },

  async updateMe(context, input) {
    const actor = actorOf(context)
    refuseEmptyAbsence({ ...actor, ...input })
    const fields = differences(actor, input)
    if (!fields) return meOf(actor)
    await set(context, input, fields)
    return meOf({ ...actor, ...input })
  },

  updateMyPicture: prepared(
    me.updateMyPicture,
    (context, { image }) => keepPicture(files, context, image),
    async (context, _, kept) => {
      const actor = actorOf(context)
      const picture_id = await replacePicture(files, context, actor.picture_id, kept)
      await set(context, { picture_id }, { picture_id: { from: actor.picture_id, to: picture_id } })
      return meOf({ ...actor, picture_id })
    },
  ),

  async listMyRequests(context, page) {
    const { company_id, user_id } = actorOf(context)
    return listRequestsOf(context.db, company_id, { user_id, ...page })
  },
})

function refuseEmptyAbsence({ away_from, away_until }: Pick<Actor, 'away_from' | 'away_until'>) {
  const message = !away_from === !away_until ? 'Choose a last day that is not before the first' : 'Enter both days'
  if (!away_from && !away_until) return
  if (away_from && away_until && away_from <= away_until) return
  throw new AppError('invalid_input', `${message}.`, { errors: [{ path: 'away_until', message }] })
}

async function keyOf({ db, actor }: Context) {
  const { company_id, api_key_id } = actor!
  if (!api_key_id) return null
  const keys = db.selectFrom('api_keys').select(['id', 'name']).where('company_id', '=', company_id)
  return keys.where('id', '=', api_key_id).executeTakeFirstOrThrow()
}

/** For example 2026-06-15T14:00:00+02:00. */
function timeIn(zone: string, now: Date) {
  const clock = clockAt(now.getTime(), zone)
  const minutes = Math.round((clock - now.getTime()) / 60_000)
  const twoDigits = (part: number) => String(Math.floor(part)).padStart(2, '0')
  const offset = `${minutes < 0 ? '-' : '+'}${twoDigits(Math.abs(minutes) / 60)}:${twoDigits(Math.abs(minutes) % 60)}`
  return `${new Date(clock).toISOString().slice(0, 19)}${offset}`
}

async function set(context: Context, values: object, fields: Patch) {
  const { company_id, user_id } = actorOf(context)
  await context.db
    .updateTable('users')
    .set(values)
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .execute()
  context.changed({ object: 'users', record_id: user_id, action: 'updated', fields })
  context.emit('user.updated', { user_id })
  context.audit('user.updated', { target_id: user_id, data: { fields: Object.keys(fields) } })
}
