// The person and the organization that a lead is about, if Kith knows them already.
import type { FilterInput } from '../../contract/filter/index.ts'
import { recordsById } from '../engine/read/by-id.ts'
import { holdersOf, keysOf } from '../engine/read/by-unique.ts'
import { conditionsOf } from '../engine/read/conditions.ts'
import { builtInInUse } from '../engine/schema/schema.ts'
import type { Target } from '../engine/schema/target.ts'
import { type Stored, storedColumns } from '../engine/values/from-row.ts'
import { noSuchRecord } from '../engine/write/lock.ts'
import { lockKeys } from '../engine/write/upsert.ts'
import { Params, run } from '../kernel/statement.ts'

/** Addresses at these domains say nothing about an organization. */
const freeMail = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com mac.com aol.com
  gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de proton.me protonmail.com pm.me mail.com mail.ru yandex.ru
  yandex.com zoho.com fastmail.com hey.com orange.fr free.fr laposte.net wanadoo.fr libero.it virgilio.it seznam.cz
  wp.pl o2.pl qq.com 163.com 126.com naver.com tutanota.com posteo.de mailbox.org`.split(/\s+/),
)

export function domainOf(email: string | undefined) {
  const domain = email?.split('@')[1]?.toLowerCase()
  return domain && !freeMail.has(domain) ? domain : undefined
}

export async function given(target: Target, id: string, path: string) {
  const record = (await recordsById(target.context, target.object, [id])).get(id)
  if (!record) throw await noSuchRecord(target, path, id)
  return record
}

type Known = { email: string | undefined; phone: string | undefined; last_name: string | undefined }

/** Colleagues share a phone number: with another last name it is another person. */
export async function findPerson(people: Target, { email, phone, last_name }: Known) {
  const name = last_name ? builtInInUse(people.object, 'last_name')?.key : undefined
  const isSame: FilterInput[] = name
    ? [
        {
          or: [
            { field: name, op: 'eq', value: last_name! },
            { field: name, op: 'is_empty' },
          ],
        },
      ]
    : []
  return (await byUnique(people, 'emails', email)) ?? (await byFilter(people, 'phones', phone, isSame))
}

export const findOrganization = async (organizations: Target, domain: string | undefined, name: string | undefined) =>
  (await byUnique(organizations, 'domains', domain)) ?? (await byFilter(organizations, 'name', name))

/** Locks the value, so that two conversions at the same time do not both create a record for it. */
async function byUnique(target: Target, key: string, value: string | undefined) {
  const field = builtInInUse(target.object, key)
  if (!field || !value) return undefined
  if (!field.is_unique) return byFilter(target, key, value)
  const keys = keysOf(target, field, [value])
  await lockKeys(target, field, keys)
  const holderOf = await holdersOf(
    target,
    keys.map((key) => ({ field, key })),
  )
  const id = keys.map((key) => holderOf({ field, key })).find((found) => found !== undefined)
  return id ? (await recordsById(target.context, target.object, [id])).get(id) : undefined
}

/** The oldest one, if there are several. */
async function byFilter(
  { context, schema, object }: Target,
  key: string,
  value: string | undefined,
  also: FilterInput[] = [],
) {
  const field = builtInInUse(object, key)
  if (!field || !value) return undefined
  const filter: FilterInput = { and: [{ field: field.key, op: 'eq', value }, ...also] }
  const conditions = await conditionsOf(context, schema, object, { filter, deleted: false, at: context.now })
  const params = new Params()
  const rows = await run<Stored>(
    context.db,
    `select ${storedColumns} from records r where ${conditions(params).join(' and ')} order by r.id limit 1`,
    params,
  )
  return rows[0]
}
