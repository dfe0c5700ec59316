// Users and records that somebody named by an address, a unique value or a title.
import { fold, nearestNames, type Reference, type References } from '../../contract/filter/index.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import type { Schema } from '../objects/schema.ts'
import { readable } from './rights.ts'

const most = 6
const mostUsers = 1000

/** All that fit each reference, as far as the caller may know of them. Users know each other's names. */
export async function lookUp(context: Context, schema: Schema, references: Reference[]): Promise<References> {
  const found: References = {}
  for (const reference of references)
    found[reference.key] =
      reference.kind === 'user'
        ? await usersOrNearest(context, reference.text)
        : await named(context, schema, reference)
  return found
}

async function usersOrNearest(context: Context, text: string) {
  const found = await users(context, text)
  if (found.length) return found
  const params = new Params()
  const all = await run<{ name: string; email: string | null }>(
    context.db,
    `select name, email from users where company_id = ${params.add(actorOf(context).company_id, 'uuid')} and removed_at is null
      order by name limit ${mostUsers}`,
    params,
  )
  const names = all.map(({ name, email }) => ({ key: name, label: email ?? name }))
  return { nearest: [...new Set(nearestNames(text, names))] }
}

async function users(context: Context, text: string) {
  const params = new Params()
  return run<{ id: string; title: string }>(
    context.db,
    `select id, name as title from users where company_id = ${params.add(actorOf(context).company_id, 'uuid')} and removed_at is null
      and (lower(email) = ${params.add(text.toLowerCase())} or lower(name) = ${params.add(text.toLowerCase())}) order by id limit ${most}`,
    params,
  )
}

async function named(context: Context, schema: Schema, { objects, text }: Pick<Reference, 'objects' | 'text'>) {
  const actor = actorOf(context)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const targets = [...schema.objects.values()].filter(({ key }) => !objects.length || objects.includes(key))
  const limits = targets.map((object) => {
    const limit = readable(actor, object, 'r', params)
    return `(r.object_id = ${params.add(object.id, 'uuid')}${limit && ` and ${limit}`})`
  })
  const title = params.add(JSON.stringify({ title: fold(text) }), 'jsonb')
  const keys = params.add([text.trim().toLowerCase(), fold(text.trim())], 'text[]')
  return run<{ id: string; title: string }>(
    context.db,
    `select r.id, r.title from records r where r.company_id = ${company} and r.deleted_at is null and (${limits.join(' or ') || 'false'})
      and (r.match @> ${title} or r.id in (select u.record_id from unique_values u where u.company_id = ${company} and u.key = any(${keys})))
      order by r.id limit ${most}`,
    params,
  )
}
