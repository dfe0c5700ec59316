// Puts ids in the place of the users and records that values name.
import type { FieldError } from '../../contract/errors.ts'
import { actorOf } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import type { Field } from '../objects/schema.ts'
import type { Target } from './apply.ts'
import { lookUp } from './references.ts'
import { readable } from './rights.ts'
import type { Stored } from './stored.ts'
import { ownerField, Reference, type Values } from './values.ts'

/** What a record has now. That may stay, even when it has gone to the trash or is not for the caller to see. */
type Before = Pick<Stored, 'values' | 'owner_id'> | undefined
type Use = {
  draft: Values
  key: string
  field: Field
  path: string
  reference: Reference
  index: number | null
  before: Before
}
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Every user and every target must exist for the caller: an id of another company is as unknown as a random one. */
export async function resolveReferences(
  target: Target,
  drafts: Values[],
  pathOf: (i: number) => string,
  beforeOf: (i: number) => Before,
): Promise<FieldError[]> {
  const uses = drafts.flatMap((draft, i) => usesIn(target, draft, pathOf(i), beforeOf(i)))
  if (!uses.length) return []
  const { user_id } = actorOf(target.context)
  const ids = [...new Set(uses.map(({ reference }) => reference.text.toLowerCase()).filter((text) => uuid.test(text)))]
  const [users, records] = [await knownUsers(target, ids), await knownRecords(target, ids)]
  const faults: FieldError[] = []
  for (const use of uses) {
    const { field, reference, path } = use
    const text = reference.text.toLowerCase()
    const isUser = field.type === 'user'
    if (isUser && text === 'me') settle(use, user_id)
    else if (had(use, text)) settle(use, text)
    else if (uuid.test(text)) {
      const object = records.get(text)
      const fits = isUser
        ? users.has(text)
        : object !== undefined && (!field.to_objects?.length || field.to_objects.includes(object))
      if (fits) settle(use, text)
      else
        faults.push({
          path,
          message: isUser
            ? 'There is no such user. List the users to find the id'
            : 'There is no such record, or it is of another object',
        })
    } else {
      const kind = isUser ? ('user' as const) : ('record' as const)
      const wanted = { key: 'one', kind, objects: field.to_objects ?? [], text: reference.text }
      const found = (await lookUp(target.context, target.schema, [wanted])).one!
      if ('nearest' in found)
        faults.push({
          path,
          message: `Nobody is called ${reference.text.slice(0, 60)}. Did you mean ${found.nearest.join(', ')}? Use an id or an e-mail address`,
        })
      else if (found.length === 1) settle(use, found[0]!.id)
      else
        faults.push({
          path,
          message: found.length
            ? `Several are called that: ${found.map(({ title, id }) => `${title} (${id})`).join(', ')}. Use the id`
            : `Nothing is called ${reference.text.slice(0, 60)}. Use an id`,
        })
    }
  }
  for (const { draft, key, index } of uses) if (index === 0) draft[key] = [...new Set(draft[key] as unknown[])]
  return faults
}

const had = ({ key, before }: Use, id: string) =>
  before !== undefined && [key === 'owner' ? before.owner_id : before.values[key]].flat().includes(id)

function usesIn({ object }: Target, draft: Values, path: string, before: Before): Use[] {
  return Object.entries(draft).flatMap(([key, value]) => {
    const field = key === 'owner' ? ownerField : object.byKey.get(key)!
    const one = (reference: unknown, index: number | null) =>
      reference instanceof Reference
        ? [
            {
              draft,
              key,
              field,
              path: index === null ? `${path}.${key}` : `${path}.${key}.${index}`,
              reference,
              index,
              before,
            },
          ]
        : []
    return Array.isArray(value) ? value.flatMap((item, i) => one(item, i)) : one(value, null)
  })
}

function settle({ draft, key, index }: Use, id: string) {
  if (index === null) draft[key] = id
  else (draft[key] as unknown[])[index] = id
}

async function knownUsers({ context }: Target, ids: string[]) {
  if (!ids.length) return new Set<string>()
  const params = new Params()
  const rows = await run<{ id: string }>(
    context.db,
    `select id from users where company_id = ${params.add(actorOf(context).company_id, 'uuid')} and id = any(${params.add(ids, 'uuid[]')}) and removed_at is null`,
    params,
  )
  return new Set(rows.map((row) => row.id))
}

/** Which object each readable record is of. */
async function knownRecords({ context, schema }: Target, ids: string[]) {
  if (!ids.length) return new Map<string, string>()
  const actor = actorOf(context)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const wanted = params.add(ids, 'uuid[]')
  const limits = [...schema.objects.values()].map((object) => {
    const limit = readable(actor, object, 'r', params)
    return `(r.object_id = ${params.add(object.id, 'uuid')}${limit && ` and ${limit}`})`
  })
  const rows = await run<{ id: string; object_id: string }>(
    context.db,
    `select r.id, r.object_id from records r where r.company_id = ${company} and r.id = any(${wanted}) and r.deleted_at is null and (${limits.join(' or ')})`,
    params,
  )
  return new Map(rows.map((row) => [row.id, schema.byId.get(row.object_id)!.key]))
}
