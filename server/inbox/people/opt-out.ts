// Recipients who do not want more messages say so by a link, which is encrypted instead of stored. It holds for their
// address, and for people who have it or get it later.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { optOuts as contract } from '../../../contract/opt-outs.ts'
import { rightsFor } from '../../engine/rights/rights.ts'
import { builtInInUse, schemaOf, schemaOfCompany } from '../../engine/schema/schema.ts'
import { type Stored, storedColumns } from '../../engine/values/from-row.ts'
import { saveChanges } from '../../engine/write/save.ts'
import { changedRecord } from '../../engine/write/update.ts'
import { contextFor } from '../../kernel/act-as.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { newestFirst } from '../../kernel/page.ts'
import type { Handlers } from '../../kernel/run.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { sealMark, type Vault } from '../../platform/vault.ts'
import { contactsById, recordsWithAddress } from '../thread/links.ts'

const place = 'opt-out link'
type Recipient = { company_id: string; address: string }

export function optOutUrl(vault: Vault, baseUrl: URL, { company_id, address }: Recipient) {
  const sealed = vault.seal(`${company_id} ${address}`, place)
  return `${baseUrl.origin}/public/opt-out/${sealed.subarray(sealMark.length).toString('base64url')}`
}

function recipientOf(vault: Vault, token: string): Recipient {
  try {
    // Without the mark, the vault would take it for a value of version 0.1, which is not bound to a place.
    const text = vault.open(Buffer.concat([sealMark, Buffer.from(token, 'base64url')]), place)
    const [company_id, address] = text.split(' ') as [string, string]
    return { company_id, address }
  } catch {
    throw new AppError('not_found', 'This link is not valid. Reply to the message instead and ask not to be contacted.')
  }
}

export const optOutOperations = ({ vault }: { vault: Vault }): Handlers<typeof contract> => ({
  /** Opening the page changes nothing, because mail scanners open every link. */
  async getOptOutPage(_context, { token }) {
    const { address } = recipientOf(vault, token)
    return {
      title: 'Unsubscribe',
      html: `<p>Stop messages to ${escapeHtml(address)}?</p>
<form method="post"><button type="submit" name="list_unsubscribe" value="One-Click">Unsubscribe</button></form>`,
    }
  },

  async optOut(context, { token }) {
    const recipient = recipientOf(vault, token)
    await keepOptOut(context, recipient)
    return {
      title: 'You are unsubscribed',
      html: `<p>You will get no more messages at ${escapeHtml(recipient.address)}.</p>`,
    }
  },

  async listOptOuts(context, { address, ...page }) {
    await refuseUnlessEditor(context)
    const { company_id } = actorOf(context)
    const all = context.db.selectFrom('opt_outs').select(['id', 'address', 'at']).where('company_id', '=', company_id)
    const { items, next_cursor } = await newestFirst(
      address === undefined ? all : all.where('address', '=', address),
      'id',
      page,
    )
    return { items: items.map(({ at, ...one }) => ({ ...one, at: at.toISOString() })), next_cursor }
  },

  async deleteOptOut(context, { id }) {
    await refuseUnlessEditor(context)
    const { company_id } = actorOf(context)
    const { rows } = await sql<{ address: string }>`delete from opt_outs
      where company_id = ${company_id} and id = ${id} returning address`.execute(context.db)
    if (!rows[0]) throw new AppError('not_found', 'Opt-out not found. List the opt-outs to get their IDs.')
    context.audit('opt_out.removed', { data: { address: rows[0].address } })
    return {}
  },
})

/** Those who may clear “Do not contact” on any person. */
async function refuseUnlessEditor(context: Context) {
  const actor = actorOf(context)
  if (actor.is_admin) return
  const people = (await schemaOf(context.db, actor)).builtIn.get('people')
  if (!people || rightsFor(actor, people.key).edit !== 'all')
    throw new AppError('forbidden', `Your role (${actor.role}) does not let you edit all people. Ask an Admin.`)
}

async function keepOptOut({ db, now }: Context, { company_id, address }: Recipient) {
  const company = db.selectFrom('companies').select('schema_version').where('id', '=', company_id)
  if (!(await company.executeTakeFirst())) return
  await sql`insert into opt_outs (company_id, id, address, at) values (${company_id}, ${randomUUIDv7()}, ${address}, ${now})
    on conflict (company_id, address) do nothing`.execute(db)
  const schema = await schemaOfCompany(db, company_id)
  const people = await recordsWithAddress(db, company_id, schema, 'people', [address])
  await markPeople(db, company_id, [...people.values()].flat(), now)
}

/** Of these records, people with an address that must not be written to. */
export const markOptedOut = (db: Db, company_id: string, record_ids: string[], now: Date) =>
  transaction(db, async (tx) => {
    const contacts = await contactsById(tx, company_id, await schemaOfCompany(tx, company_id), record_ids)
    const people = contacts.filter(({ object }) => object === 'people')
    const { rows } = await sql<{ address: string }>`select address from opt_outs
      where company_id = ${company_id} and address = any(${people.map(({ address }) => address)})`.execute(tx)
    const optedOut = new Set(rows.map(({ address }) => address))
    const marked = people.filter(({ address }) => optedOut.has(address)).map(({ record_id }) => record_id)
    await markPeople(tx, company_id, [...new Set(marked)], now)
  })

/** Written by Kith itself, with history, so that everyone sees where the mark comes from. */
async function markPeople(db: Db, company_id: string, ids: string[], now: Date) {
  if (!ids.length) return
  const { context, write } = await contextFor(db, { company_id, task: 'optOut', now })
  const schema = await schemaOf(db, actorOf(context))
  const object = schema.builtIn.get('people')
  const field = object && !object.archived_at && builtInInUse(object, 'do_not_contact')
  if (!object || !field) return
  const params = new Params()
  const people = await run<Stored>(
    db,
    `select ${storedColumns} from records r where r.company_id = ${params.add(company_id, 'uuid')}
      and r.id = any(${params.add(ids, 'uuid[]')}) and r.deleted_at is null order by r.id for update`,
    params,
  )
  const target = { context, schema, object }
  const unmarked = people.filter(({ values }) => values[field.key] !== true)
  const changes = unmarked.map((person) => changedRecord(target, person, { [field.key]: true }, 'person').change)
  if (!changes.length) return
  await saveChanges(target, changes, false)
  await write()
}
