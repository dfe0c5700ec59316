// Checks what people decide about a lead source. All problems are reported together.

import { formLabel } from '../../../contract/built-in/form-labels.ts'
import { hasFaults } from '../../../contract/filter/index.ts'
import type { FieldError } from '../../../contract/shared/errors.ts'
import { refuseAbove } from '../../accounts/roles/queries.ts'
import { findUser, toUser, usersOf } from '../../accounts/users/queries.ts'
import { storeFilter } from '../../engine/read/stored-filter.ts'
import { readFilterIn, wholeScopeOf } from '../../engine/rights/scope.ts'
import { builtInInUse, type ObjectSchema, type Schema } from '../../engine/schema/schema.ts'
import { needsDatabase } from '../../engine/subscriptions/filters.ts'
import { readValues } from '../../engine/values/read-values.ts'
import { refuseAll } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { leadsOf } from '../leads-object.ts'
import { canBeInForm } from './form.ts'
import type { Settings } from './source.ts'

/** What a new form asks for, in the language of its visitors. */
export const usualFields = (leads: ObjectSchema, language: string) =>
  ['first_name', 'last_name', 'email', 'phone', 'company_name', 'message'].flatMap((key) => {
    const field = builtInInUse(leads, key)
    const none = { placeholder: '', help: '', is_hidden: false, value: '', options: null, step: 1 }
    return field ? [{ ...none, field: field.key, label: formLabel(field, language), is_required: key === 'email' }] : []
  })

export async function checkSettings(context: Context, schema: Schema, settings: Settings, mailer: Mailer) {
  const leads = leadsOf(schema)
  const errors = [...fieldErrors(leads, settings), ...redirectErrors(settings), ...tagErrors(schema, leads, settings)]
  if (settings.double_opt_in && !settings.fields.some(({ field }) => field === builtInInUse(leads, 'email')?.key))
    errors.push({ path: 'double_opt_in', message: 'Add the field Email to the form' })
  const { company_id } = actorOf(context)
  const needsMail = [
    ...(settings.double_opt_in ? ['double_opt_in'] : []),
    ...(settings.autoresponse?.is_on ? ['autoresponse'] : []),
  ]
  if (needsMail.length && !(await mailer.canSend(context.db, company_id)))
    errors.push({ path: needsMail[0]!, message: 'Set up a mail server first, under Company, Mail' })
  refuseAll(errors)
  return { ...settings, assignment: await checkedRules(context, schema, leads, settings.assignment) }
}

function fieldErrors(leads: ObjectSchema, { fields }: Settings): FieldError[] {
  const seen = new Set<string>()
  return fields.flatMap(({ field: key, options }, i) => {
    const field = leads.byKey.get(key)
    const path = `fields.${i}.field`
    if (!field) return [{ path, message: `Leads have no field ${key}` }]
    if (!canBeInForm(field)) return [{ path, message: `${field.label} cannot be in a form` }]
    if (seen.has(key)) return [{ path, message: `${field.label} appears twice` }]
    seen.add(key)
    const unknown = options?.find((option) => !field.options?.some((one) => one.key === option))
    return unknown ? [{ path: `fields.${i}.options`, message: `${field.label} has no option ${unknown}` }] : []
  })
}

const redirectErrors = ({ redirect_url, redirect_urls }: Settings): FieldError[] =>
  redirect_url && !redirect_urls.includes(redirect_url)
    ? [{ path: 'redirect_url', message: 'Add this address to redirect_urls' }]
    : []

function tagErrors(schema: Schema, leads: ObjectSchema, { tags }: Settings): FieldError[] {
  const field = builtInInUse(leads, 'tags')
  if (!tags.length) return []
  if (!field) return [{ path: 'tags', message: 'The field Tags is archived' }]
  return readValues(schema, leads, { [field.key]: tags }, 'x').faults.map(({ message }) => ({ path: 'tags', message }))
}

/** Filters in the form that is stored. They are compared with a lead before it is saved. */
async function checkedRules(context: Context, schema: Schema, leads: ObjectSchema, rules: Settings['assignment']) {
  const checked: Settings['assignment'] = []
  for (const [i, { filter, user_ids }] of rules.entries()) {
    for (const id of user_ids) await findUser(context, id)
    checked.push({
      user_ids,
      filter: filter ? await ownFilter(context, schema, leads, filter, `assignment.${i}.filter`) : null,
    })
  }
  return checked
}

export async function ownFilter(context: Context, schema: Schema, leads: ObjectSchema, filter: string, path: string) {
  const { text } = await storeFilter(context, schema, leads, filter)
  const read = readFilterIn(wholeScopeOf(schema), leads.key, text)
  const message = 'Use only fields of the lead itself, without related records and search'
  if (hasFaults(read) || needsDatabase(read.checked)) refuseAll([{ path, message }])
  return text
}

/** Leads are created with the rights of the owner, so no one can choose an owner with more rights than their own. */
export async function checkOwner(context: Context, owner_id: string) {
  const actor = actorOf(context)
  if (owner_id === actor.user_id) return
  const { rights, role } = await findUser(context, owner_id)
  refuseAbove(actor, { ...rights, name: role })
}

/** What a source does next, it does with the rights of its owner. One who was removed has none. */
export async function checkChange(context: Context, owner_id: string) {
  const actor = actorOf(context)
  if (owner_id === actor.user_id) return
  const found = await usersOf(context).where('users.id', '=', owner_id).executeTakeFirst()
  if (!found) return
  const { name, rights, role } = toUser(found)
  const advice = `The form uses the permissions of its owner, ${name}. Become its owner to change it, or ask an Admin.`
  refuseAbove(actor, { ...rights, name: role }, advice)
}
