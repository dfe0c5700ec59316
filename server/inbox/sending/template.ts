// Texts for messages, with variables such as {{ first_name }}.
import { sql } from 'kysely'
import { automaticVariables, emailAddress, templateGap, templateVariables } from '../../../contract/messages.ts'
import { own } from '../../../contract/shared/own.ts'
import { isVisitorAddress, nameOrAddress, shownAddress } from '../../../contract/shared/visitor-address.ts'
import { recordsById } from '../../engine/read/by-id.ts'
import { seenBy } from '../../engine/rights/rights.ts'
import { builtInInUse, type ObjectSchema, schemaOf } from '../../engine/schema/schema.ts'
import type { Stored } from '../../engine/values/from-row.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { textOf } from '../../lead-routing/lead-values.ts'
import { namesIn, render, type TemplateValues, unknownIn } from '../../platform/template.ts'
import type { Answerable } from '../thread/find-readable.ts'
import { recordsWithAddress } from '../thread/links.ts'

export type TemplateRow = {
  id: string
  name: string
  subject: string
  text: string
  owner_id: string
  is_shared: boolean
}

export async function templateFor(context: Context, id: string) {
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<TemplateRow>`
    select id, name, subject, text, owner_id, is_shared from message_templates
    where company_id = ${company_id} and id = ${id} and (is_shared or owner_id = ${user_id})`.execute(context.db)
  if (!rows[0]) throw new AppError('not_found', 'Template not found. List the templates to get their IDs.')
  return rows[0]
}

/** By ID or by name, one's own first; an error lists those that there are. */
export async function findTemplate(context: Context, asked: string) {
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<Pick<TemplateRow, 'id' | 'name'>>`
    select id, name from message_templates where company_id = ${company_id} and (is_shared or owner_id = ${user_id})
    order by owner_id = ${user_id} desc, lower(name), id`.execute(context.db)
  const found =
    rows.find(({ id }) => id === asked) ?? rows.find(({ name }) => name.toLowerCase() === asked.toLowerCase())
  if (found) return found.id
  const names = rows.slice(0, 20).map(({ name }) => name)
  throw refused(
    'template',
    `Template not found. ${names.length ? `Templates: ${names.join(', ')}` : 'There are none.'}`,
  )
}

const signature = ['my_name', 'my_email'] as const

/** A template that a program fills in is signed when it is sent: by the person who approves it, else by the key's owner. */
function signedBy(text: string, { name, email }: { name: string; email: string | null }) {
  const values = { my_name: name, my_email: email ?? '' }
  return text.replace(
    /\{\{\s*(my_name|my_email)\s*\}\}/g,
    (_, variable: (typeof signature)[number]) => values[variable],
  )
}

export const signedWords = (
  by: { name: string; email: string | null },
  { template_id, text, subject }: { template_id: string | null; text: string; subject: string },
) => (template_id ? { text: signedBy(text, by), subject: signedBy(subject, by) } : { text, subject })

const peopleOf = async (context: Context) => {
  const actor = actorOf(context)
  const people = (await schemaOf(context.db, actor)).builtIn.get('people')
  return people && !people.archived_at ? seenBy(actor, people) : undefined
}

const fieldsOf = (people: ObjectSchema | undefined) => people?.fields.filter(({ type }) => type !== 'relation') ?? []

/** Refuses variables that no value will ever come for. */
export async function refuseUnknown(context: Context, template: { subject?: string; text?: string }) {
  const known = [...templateVariables, ...fieldsOf(await peopleOf(context)).map(({ key }) => `person.${key}`)]
  for (const [path, text] of Object.entries(template)) {
    const unknown = unknownIn(text ?? '', known, 'a variable')
    if (unknown) throw refused(path, `${unknown}${unknown.endsWith('?') ? '' : '.'} Variables: ${known.join(', ')}`)
  }
}

type TemplateSubject = {
  conversation: Pick<Answerable, 'subject' | 'participants'> | null
  person_id: string | undefined
}
type Recipient = { address: string; name: string | null }

/** A template greets who gets it, who need not be who the conversation is with. */
export async function aboutRecipient(
  context: Context,
  { conversation, person_id }: TemplateSubject,
  recipient: Recipient | undefined,
): Promise<TemplateSubject> {
  if (person_id || !recipient) return { conversation, person_id }
  const known = conversation?.participants.find(({ address }) => address === recipient.address)
  const guest = known ?? { ...recipient, person_id: await personWith(context, recipient.address) }
  return {
    conversation: { subject: conversation?.subject ?? '', participants: [guest] },
    person_id: guest.person_id ?? undefined,
  }
}

async function personWith({ db, actor }: Context, address: string) {
  const { company_id } = actor!
  const found = await recordsWithAddress(db, company_id, await schemaOf(db, actor!), 'people', [address])
  return found.get(address)?.[0] ?? null
}

/** With the values that the caller may read, and a mark for each that is missing. `isUnsigned`: see `signedBy`. */
export async function fillTemplate(context: Context, id: string, about: TemplateSubject, isUnsigned = false) {
  const template = greetingIn(
    await templateFor(context, id),
    about.person_id ? undefined : about.conversation?.participants[0],
  )
  const open = Object.fromEntries(signature.map((name) => [name, { raw: '', text: `{{ ${name} }}` }]))
  const values = { ...(await valuesFor(context, about)), ...(isUnsigned && open) }
  const names = [...new Set(namesIn(`${template.subject} ${template.text}`))]
  const missing = names.filter((name) => !own(values, name)?.text)
  const marks = Object.fromEntries(missing.map((name) => [name, { raw: '', text: templateGap(name) }]))
  const all = { ...values, ...marks }
  return { subject: render(template.subject, 'line', all), text: render(template.text, 'text', all), missing }
}

type Writer = { address: string | null; name: string | null; subject: string }

/** For an automatic reply: nothing proves who wrote, so it says nothing that the message did not say. */
export async function fillAutomatic(context: Context, template: TemplateRow, { address, name, subject }: Writer) {
  const secret = privateIn(template)
  if (secret) throw new AppError('conflict', secret)
  const isHarmless = name && !link.test(name)
  const given = isHarmless ? name.slice(0, 80) : isVisitorAddress(address ?? '') ? null : nameOrAddress(null, address)
  const guest = { address: address ?? '', name: given ?? null, person_id: null }
  const values = await valuesFor(context, { conversation: { subject, participants: [guest] }, person_id: undefined })
  return { text: render(greetingIn(template, guest).text, 'text', values) }
}

/** Visitors of a website without a name are greeted with "Hello,". */
function greetingIn<T extends { text: string }>(template: T, guest: Recipient | undefined): T {
  if (!guest || !isVisitorAddress(guest.address) || nameOf(guest)) return template
  return { ...template, text: template.text.replace(/ ?\{\{\s*(?:first_name|last_name|name)\s*\}\}/g, '') }
}

/** Conversations from before visitors had no name call them "Visitor". */
const nameOf = ({ address, name }: Recipient) => (isVisitorAddress(address) && name === 'Visitor' ? '' : (name ?? ''))

/** Names with a link would make us send advertisements to strangers. */
const link = /[/:@]|www\./i

/** Why automatic replies cannot use it: they must not reveal what this says. */
export function privateIn({ name, text }: Pick<TemplateRow, 'name' | 'text'>) {
  const secret = namesIn(text).find((variable) => !automaticVariables.includes(variable))
  if (secret === undefined) return undefined
  const known = automaticVariables.map((variable) => `{{ ${variable} }}`).join(', ')
  return `The template ${name} uses {{ ${secret} }}. The sender is not verified, so automatic replies can only use ${known}.`
}

async function valuesFor(context: Context, { conversation, person_id }: TemplateSubject): Promise<TemplateValues> {
  const actor = actorOf(context)
  const people = await peopleOf(context)
  const person = people && person_id ? (await recordsById(context, people, [person_id])).get(person_id) : undefined
  const guest = conversation?.participants[0]
  const value = (key: string) => (person && people ? textOf(builtIn(people, person, key)) : '')
  const name = person?.title ?? (guest ? nameOf(guest) : '')
  const texts = {
    first_name: value('first_name') || (person ? '' : (name.split(/\s+/)[0] ?? '')),
    last_name: value('last_name'),
    name,
    email: value('emails').split(', ')[0] || emailOf(guest?.address),
    organization: person && people ? await organizationOf(context, people, person) : '',
    my_name: actor.name,
    my_email: actor.email ?? '',
    company: actor.company_name,
    subject: conversation?.subject ?? '',
    ...Object.fromEntries(
      fieldsOf(people).map((field) => [
        `person.${field.key}`,
        person ? textOf(labelled(field, own(person.values, field.key))) : '',
      ]),
    ),
  }
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, { raw: text, text }]))
}

const emailOf = (address = '') => (emailAddress.test(address) ? (shownAddress(address) ?? '') : '')

function builtIn(people: ObjectSchema, person: Stored, key: string) {
  const field = builtInInUse(people, key)
  return field ? own(person.values, field.key) : undefined
}

function labelled({ options }: ObjectSchema['fields'][number], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => labelled({ options } as never, one))
  return options?.find(({ key }) => key === value)?.label ?? value
}

async function organizationOf(context: Context, people: ObjectSchema, person: Stored) {
  const [id] = [builtIn(people, person, 'organization') ?? []].flat() as string[]
  const actor = actorOf(context)
  const organizations = (await schemaOf(context.db, actor)).builtIn.get('organizations')
  if (!id || !organizations || organizations.archived_at) return ''
  return (await recordsById(context, organizations, [id])).get(id)?.title ?? ''
}
