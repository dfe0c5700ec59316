// The link with which recipients say that they do not want more messages. It is encrypted instead of stored.
import type { optOuts as contract } from '../../contract/opt-outs.ts'
import { builtInInUse, schemaOf } from '../engine/schema/schema.ts'
import { type Stored, storedColumns } from '../engine/values/from-row.ts'
import { saveChanges } from '../engine/write/save.ts'
import { changedRecord } from '../engine/write/update.ts'
import { AppError } from '../kernel/app-error.ts'
import { bySystem, type Context } from '../kernel/context.ts'
import { escapeHtml } from '../kernel/html.ts'
import { noNotes, taking, writeNotes } from '../kernel/pending-writes.ts'
import type { Handlers } from '../kernel/run.ts'
import { Params, run } from '../kernel/statement.ts'
import { sealMark, type Vault } from '../platform/vault.ts'
import { peopleWith } from './contacts.ts'

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
    await markPerson(context, recipient)
    return {
      title: 'You are unsubscribed',
      html: `<p>You will get no more messages at ${escapeHtml(recipient.address)}.</p>`,
    }
  },
})

/** Written by Kith itself, with history, so that everyone sees where the mark comes from. */
async function markPerson({ db, now }: Context, { company_id, address }: Recipient) {
  const company = db.selectFrom('companies').select('schema_version').where('id', '=', company_id)
  const found = await company.executeTakeFirst()
  if (!found) return
  const caller = bySystem(company_id, found.schema_version, 'optOut')
  const notes = noNotes()
  const own: Context = { ...caller, ...taking(notes, caller), db, now }
  const schema = await schemaOf(db, caller.actor!)
  const object = schema.builtIn.get('people')
  const field = object && !object.archived_at && builtInInUse(object, 'do_not_contact')
  const id = (await peopleWith(own, [address])).get(address)
  if (!object || !field || !id) return
  const params = new Params()
  const [person] = await run<Stored>(
    db,
    `select ${storedColumns} from records r where r.company_id = ${params.add(company_id, 'uuid')}
      and r.id = ${params.add(id, 'uuid')} and r.deleted_at is null for update`,
    params,
  )
  if (!person || person.values[field.key] === true) return
  const target = { context: own, schema, object }
  await saveChanges(target, [changedRecord(target, person, { [field.key]: true }, 'person').change], false)
  await writeNotes(db, notes, caller, 'optOut', now)
}
