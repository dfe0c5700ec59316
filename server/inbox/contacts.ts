// Whom a message may go to.

import { holdersOf, keysOf } from '../engine/read/by-unique.ts'
import { optedOutAmong } from '../engine/read/opted-out.ts'
import { builtInInUse, type Schema, schemaOf } from '../engine/schema/schema.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import type { Db } from '../platform/db.ts'

/** Always, also for replies: people who were promised silence get no message. */
export async function refuseOptedOut(context: Context, addresses: string[]) {
  const { company_id } = actorOf(context)
  const schema = await schemaOf(context.db, actorOf(context))
  const reason = await optOutReason(context.db, company_id, schema, addresses)
  if (reason) throw new AppError('conflict', `${reason} Nothing was sent.`)
}

export async function optOutReason(db: Db, company_id: string, schema: Schema, addresses: string[]) {
  const found = await optedOutAmong(db, company_id, schema, addresses)
  if (!found.length) return undefined
  const names = found.map(({ address, name }) => `${name} (${address})`).join(', ')
  return `${names} must not be contacted: “Do not contact” is set for this person. Leave the address out, or clear the mark if they agreed.`
}

/** The people with these addresses, by address. */
export async function peopleWith(context: Context, addresses: string[]) {
  const schema = await schemaOf(context.db, actorOf(context))
  const object = schema.builtIn.get('people')
  const field = object && !object.archived_at && builtInInUse(object, 'emails')
  if (!field || !addresses.length) return new Map<string, string>()
  const held = addresses.flatMap((address) =>
    keysOf({ schema }, field, [address]).map((key) => ({ address, field, key })),
  )
  const holder = await holdersOf({ context, schema, object }, held)
  return new Map(
    held.flatMap(({ address, field, key }) => {
      const id = holder({ field, key })
      return id ? [[address, id] as const] : []
    }),
  )
}
