// The manual order of boards. A place is a text between those of its neighbors; the order is descending.
import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { placeOf } from '../read/page.ts'
import { allows, isOwn, refuseForeign, rightsFor } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import { lock, noSuchRecord } from '../write/lock.ts'

type Neighbors = { above?: string | undefined; below?: string | undefined }

/** Puts the record directly above one record and below another. Not part of its history: no value changes. */
export async function placeRecord(target: Target, id: string, { above, below }: Neighbors) {
  const { context, object } = target
  const actor = actorOf(context)
  if (above === id || below === id) throw beside('A record cannot be placed next to itself')
  const found = await lock(
    target,
    [id, above, below].filter((one) => one !== undefined),
  )
  for (const [path, one] of Object.entries({ id, above, below }))
    if (one !== undefined && !found.has(one)) throw await noSuchRecord(target, path, one)
  if (!allows(rightsFor(actor, object.key).edit, isOwn(actor, object, found.get(id)!)))
    throw refuseForeign(actor, 'edit', object)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const rows = await run<{ id: string; place: string }>(
    context.db,
    `select r.id, ${placeOf('r')} as place from records r
      where r.company_id = ${company} and r.id = any(${params.add([...found.keys()], 'uuid[]')})`,
    params,
  )
  const places = new Map(rows.map((row) => [row.id, row.place]))
  const [low, high] = [above && places.get(above), below && places.get(below)]
  if (low === undefined && high === undefined) return
  if (low !== undefined && high !== undefined && low >= high)
    throw beside('The order of these records has changed. Reload the board')
  // At the top, but below records that are created later.
  const newest = randomUUIDv7()
  const place = between(low, high ?? (low! < newest ? newest : undefined))
  const change = new Params()
  await run(
    context.db,
    `update records set place = ${change.add(place)} where company_id = ${change.add(actor.company_id, 'uuid')} and id = ${change.add(id, 'uuid')}`,
    change,
  )
  context.emit('record.placed', { object: object.key })
}

const beside = (message: string) => new AppError('conflict', `${message}.`, { errors: [{ path: 'above', message }] })

/** In the order of their codes. No place ends with the first one, so that there is always room before it. */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'

/** A short text between the two, which compares as bytes do. */
export function between(low = '', high?: string): string {
  let place = ''
  for (let i = 0; ; i++) {
    const floor = i < low.length ? digitOf(low[i]!) : 0
    const ceiling = high !== undefined && i < high.length ? digitOf(high[i]!) : digits.length
    const middle = Math.floor((floor + ceiling) / 2)
    if (middle > floor) return place + digits[middle]
    // No room between these two digits: the next ones decide. Below `high` everything that follows is then free.
    place += low[i] ?? digits[0]
    if (ceiling > floor) high = undefined
  }
}

/** IDs contain hyphens, which come before all digits; they stand at the same places in every ID. */
const digitOf = (character: string) => Math.max(0, digits.indexOf(character))
