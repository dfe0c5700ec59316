// Files of records. People upload them first; agents may send small ones with the call, or get a link for larger ones.
import { randomUUIDv7 } from 'node:crypto'
import { recordFiles as contract } from '../../../contract/record-files.ts'
import { own } from '../../../contract/shared/own.ts'
import { findActorById } from '../../accounts/users/queries.ts'
import { addFile, type Files, findFile, type Kept, keepBytes, refuseOverQuota } from '../../files/queries.ts'
import { contextOf } from '../../kernel/act-as.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import { dayMs } from '../../platform/times.ts'
import type { Vault } from '../../platform/vault.ts'
import { recordsById } from '../read/by-id.ts'
import { targetOf } from '../records/target.ts'
import { openAmong } from '../rights/readable-among.ts'
import { seenBy } from '../rights/rights.ts'
import { type ObjectSchema, schemaOf } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { FileValue } from '../values/files.ts'
import { noSuchRecord } from '../write/lock.ts'
import { updateRecords } from '../write/update.ts'
import { readUploadLink, type Upload, uploadLink } from './upload-link.ts'

export type MessageFiles = (
  context: Context,
  message_id: string,
  file_id: string,
) => Promise<{ name: string; content: Uint8Array | AsyncIterable<Uint8Array> }>

type Parts = { files: Files; fileOfMessage: MessageFiles; vault: Vault; baseUrl: URL }

export const recordFileOperations = ({ files, fileOfMessage, ...links }: Parts): Handlers<typeof contract> => ({
  createRecordFile: prepared(
    contract.createRecordFile,
    async (context, { object, id, field, name, content, message_id, file_id }) => {
      const target = await targetOf(context, object)
      fieldFor(target.object, field)
      await recordCalled(target, id)
      if (message_id === undefined && name === undefined) throw refused('name', 'This is required')
      if (message_id !== undefined && content !== undefined)
        throw refused('content', 'Send either content, or message_id with file_id')
      if (message_id !== undefined && !file_id) throw refused('file_id', 'This is required with message_id')
      const given =
        message_id !== undefined
          ? await fileOfMessage(context, message_id, file_id!)
          : content !== undefined && { name, content: bytesOf(content) }
      if (!given) return undefined
      await refuseOverQuota(context.db, actorOf(context).company_id, 0, files.quotaBytes)
      const stream = given.content instanceof Uint8Array ? [given.content] : given.content
      return { kept: await keepBytes(files, context, stream), name: name ?? given.name! }
    },
    async (context, { object, id, field: key, name }, made) => {
      const target = await targetOf(context, object)
      const field = fieldFor(target.object, key).key
      if (made) return addTo(files, context, { object, id, field, name: made.name }, made.kept)
      const { company_id, user_id, api_key_id } = actorOf(context)
      const upload = { company_id, user_id, api_key_id, object, id, field, link_id: randomUUIDv7(), name: name! }
      const { url, expires_at } = uploadLink(links, upload, context.now)
      const { version } = await recordCalled(target, id)
      return { file: null, upload_url: url, expires_at, version, change_set_id: null }
    },
  ),

  uploadByLink: prepared(
    contract.uploadByLink,
    async (context, { token }) => {
      const link = await openLink(context, links.vault, token)
      const { content, length } = context.upload!
      await refuseOverQuota(context.db, link.upload.company_id, length ?? 0, files.quotaBytes)
      const kept = await keepBytes(files, link.context, content)
      if (!kept.size) throw new AppError('invalid_input', 'The file is empty. Send its content as the body.')
      return kept
    },
    async (context, { token }, kept) => {
      const link = await openLink(context, links.vault, token)
      await useOnce(context, link.upload)
      const answer = await addTo(files, link.context, link.upload, kept)
      await link.write()
      return answer
    },
  ),
})

async function addTo(
  files: Files,
  context: Context,
  { object, id, field, name }: Pick<Upload, 'object' | 'id' | 'field' | 'name'>,
  kept: Kept,
) {
  const expires_at = new Date(context.now.getTime() + dayMs)
  const file = await addFile(files, context, kept, { purpose: 'record', name, expires_at })
  const update = { id, values: { [field]: { add: [file.id] } }, path: 'id' }
  const { records, change_set_id } = await updateRecords(await targetOf(context, object), [update], false)
  const shown = { id: file.id, name: file.name, type: file.type, size: file.size }
  return { file: shown, upload_url: null, expires_at: null, version: records[0]!.version, change_set_id }
}

/** A link acts as the user and the key that asked for it, as long as both may act. */
async function openLink(context: Context, vault: Vault, token: string) {
  const upload = readUploadLink(vault, token, context.now)
  const actor = upload && (await findActorById(context.db, upload.company_id, upload.user_id))
  if (!upload || !actor || !(await isKeyInUse(context, upload)))
    throw new AppError('not_found', 'This link is not valid, or no longer. Ask for a new one with createRecordFile.')
  const caller = { ...context, door: 'rest' as const, actor: { ...actor, api_key_id: upload.api_key_id } }
  const { context: acting, write } = contextOf(context.db, caller, { task: 'uploadByLink', now: context.now })
  return { upload, context: acting, write }
}

async function isKeyInUse({ db }: Context, { company_id, api_key_id }: Upload) {
  if (api_key_id === null) return true
  const keys = db.selectFrom('api_keys').select('id').where('company_id', '=', company_id).where('id', '=', api_key_id)
  return Boolean(await keys.where('deleted_at', 'is', null).executeTakeFirst())
}

/** A second upload waits for the first one, and is refused. */
async function useOnce({ db, now }: Context, { company_id, user_id, link_id }: Upload) {
  const used = await db
    .insertInto('idempotency_keys')
    .values({
      company_id,
      user_id,
      operation: 'uploadByLink',
      key: link_id,
      input_hash: Buffer.alloc(0),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (!used.numInsertedOrUpdatedRows) throw new AppError('conflict', 'This link has been used. Ask for a new one.')
}

/** A file of a record, if the caller may read the field that has it. */
export async function findRecordFile(context: Context, id: string) {
  const { company_id } = actorOf(context)
  const file = await findFile(context.db, company_id, id, 'record')
  if (!file?.record_id) return undefined
  const records = context.db.selectFrom('records').select('object_id').where('company_id', '=', company_id)
  const record = await records.where('id', '=', file.record_id).executeTakeFirst()
  const schema = await schemaOf(context.db, actorOf(context))
  const object = record && schema.byId.get(record.object_id)
  if (!object || !openAmong(actorOf(context), [object]).length) return undefined
  const row = (await recordsById(context, object, [file.record_id])).get(file.record_id)
  const has = fileFields(seenBy(actorOf(context), object)).some(({ key }) =>
    ((own(row?.values ?? {}, key) ?? []) as FileValue[]).some((one) => one.id === id),
  )
  return has ? file : undefined
}

const fileFields = ({ fields }: ObjectSchema) => fields.filter(({ type }) => type === 'file')

function fieldFor(object: ObjectSchema, wanted: string | undefined) {
  const fields = fileFields(object)
  const byDefault = object.builtIn.get('files') ?? fields[0]
  const found = wanted === undefined ? byDefault : fields.find(({ key }) => key === wanted)
  if (found) return found
  const keys = fields.map(({ key }) => key)
  throw refused(
    'field',
    keys.length ? `Use a field of type file: ${keys.join(', ')}` : 'This object has no field of type file',
  )
}

async function recordCalled(target: Target, id: string) {
  const found = (await recordsById(target.context, target.object, [id])).get(id)
  if (!found) throw await noSuchRecord(target, 'id', id)
  return found
}

function bytesOf(base64: string) {
  const plain = base64.replace(/\s/g, '')
  const isBase64 = plain.length > 0 && /^[a-z0-9+/_-]+={0,2}$/i.test(plain)
  if (!isBase64) throw refused('content', 'This must be the content of the file in base64, and not empty')
  return Buffer.from(plain, 'base64')
}
