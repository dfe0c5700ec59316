import * as z from 'zod'
import { objectKey as object } from './objects.ts'
import { operation } from './operation.ts'
import { mostUploadMb } from './shared/limits.ts'
import { id, moment } from './shared/shapes.ts'

/** Of a file that is sent with the call. */
export const mostInlineFileKb = 700
const mostBase64 = Math.ceil((mostInlineFileKb * 1024 * 4) / 3) + 4

const RecordFile = z.strictObject({ id, name: z.string(), type: z.string(), size: z.int() }).meta({ id: 'RecordFile' })

const CreatedFile = z
  .strictObject({
    file: RecordFile.nullable().describe('null: waits for the upload'),
    upload_url: z.string().nullable().describe('PUT the raw bytes here, once'),
    expires_at: moment.nullable(),
    version: z.int(),
    change_set_id: id.nullable(),
  })
  .meta({ id: 'CreatedFile' })

export const recordFiles = {
  createRecordFile: operation({
    summary: 'Add a file to a record: one that you send, one from a message, or one to upload',
    http: 'POST /records/:object/:id/files',
    access: 'records.edit',
    effect: 'add',
    largeBody: true,
    secret: true,
    input: z.strictObject({
      object,
      id: id.describe('Record ID'),
      field: z.string().max(63).optional().describe('Default: files'),
      name: z.string().min(1).max(500).optional().describe('e.g. offer.pdf'),
      content: z.string().max(mostBase64).optional().describe(`Base64, up to ${mostInlineFileKb} KB`),
      message_id: id.optional().describe('Instead of content'),
      file_id: id.optional().describe('The file in the message'),
    }),
    output: CreatedFile,
    tool: 'Adds a file to any record: content, or a file of a message. With a name alone, returns a link to upload to.',
  }),
  uploadByLink: operation({
    summary: 'Upload a file with a link from createRecordFile',
    http: 'PUT /uploads/:token',
    mount: 'public',
    access: 'public',
    effect: 'add',
    body: 'upload',
    mostBytes: mostUploadMb * 1024 * 1024,
    input: z.strictObject({ token: z.string().min(1).max(4000) }),
    output: CreatedFile,
  }),
}
