import { files as contract } from '../../contract/files.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context, may } from '../kernel/context.ts'
import { type Handlers, prepared } from '../kernel/run.ts'
import { dayMs } from '../platform/times.ts'
import { addFile, deleteRow, type Files, findOwnFile, keepBytes, readFile, refuseOverQuota } from './queries.ts'

const unusedMs = dayMs

type Parts = { files: Files; findRecordFile: (context: Context, id: string) => ReturnType<typeof findOwnFile> }

export const fileOperations = ({ files, findRecordFile }: Parts): Handlers<typeof contract> => ({
  uploadFile: prepared(
    contract.uploadFile,
    async (context) => {
      const { content, length } = context.upload!
      await refuseOverQuota(context.db, actorOf(context).company_id, length ?? 0, files.quotaBytes)
      const kept = await keepBytes(files, context, content)
      if (!kept.size) throw new AppError('invalid_input', 'The file is empty. Send its content as the body.')
      return kept
    },
    async (context, { purpose, name }, kept) => {
      const expires_at = new Date(context.now.getTime() + unusedMs)
      const file = await addFile(files, context, kept, { purpose, name, expires_at })
      context.audit('file.uploaded', { target_id: file.id, data: { name: file.name, size: file.size, purpose } })
      return {
        id: file.id,
        purpose,
        name: file.name,
        type: file.type,
        size: file.size,
        sha256: file.sha256.toString('hex'),
        created_at: file.created_at.toISOString(),
        expires_at: expires_at.toISOString(),
      }
    },
  ),

  async downloadFile(context, { id }) {
    const file = (await findRecordFile(context, id)) ?? (await ownFile(context, id))
    const content = await readFile(files, file)
    if (!content) throw new AppError('not_found', 'The content of this file is missing. Upload it again.')
    return { name: file.name, type: file.type, size: file.size, content }
  },

  async deleteFile(context, { id }) {
    const { company_id, name } = await ownFile(context, id)
    await deleteRow(context.db, company_id, id)
    context.audit('file.deleted', { target_id: id, data: { name } })
    return {}
  },
})

/** Of files that no record has, users, even Admins, can only use their own: imported ones become records first. */
async function ownFile(context: Context, id: string) {
  const file = await findOwnFile(context, id, 'import', 'export', 'record')
  if (!file)
    throw new AppError(
      'not_found',
      'File not found: it has expired, or another user uploaded or exported it. Only they can use it; upload or export it yourself.',
    )
  if (file.purpose === 'export' && !may(context.actor, 'records.export'))
    throw new AppError('forbidden', 'Your role does not let you export records.')
  return file
}
