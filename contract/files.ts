import * as z from 'zod'
import { fileAnswer, operation } from './operation.ts'
import { mostUploadMb } from './shared/limits.ts'
import { id, moment, nothing } from './shared/shapes.ts'

/** Purposes of uploaded files. */
export const uploadPurposes = ['import', 'message', 'record'] as const

export const StoredFile = z
  .strictObject({
    id,
    purpose: z.enum(uploadPurposes),
    name: z.string().describe('File name without path and control characters'),
    type: z.string().describe('Media type, detected from the content'),
    size: z.int().describe('Size in bytes'),
    sha256: z.string().describe('Checksum in hex'),
    created_at: moment,
    expires_at: moment.nullable().describe('When the file is deleted if it is not used'),
  })
  .meta({ id: 'StoredFile' })

export const files = {
  uploadFile: operation({
    summary: `Upload a file of up to ${mostUploadMb} MB as the raw request body`,
    http: 'POST /files',
    access: 'member',
    effect: 'add',
    body: 'upload',
    mostBytes: mostUploadMb * 1024 * 1024,
    input: z.strictObject({
      purpose: z.enum(uploadPurposes).describe('Purpose of the file'),
      name: z.string().min(1).max(500).describe('File name, e.g. people.csv'),
    }),
    output: StoredFile,
  }),
  downloadFile: operation({
    summary: 'Download a file of a record, or one that you uploaded or exported',
    http: 'GET /files/:id/content',
    access: 'member',
    effect: 'read',
    file: 'application/octet-stream',
    input: z.strictObject({ id }),
    output: fileAnswer,
  }),
  deleteFile: operation({
    summary: 'Delete a file that you uploaded or exported',
    http: 'DELETE /files/:id',
    access: 'member',
    effect: 'destroy',
    input: z.strictObject({ id }),
    output: nothing,
  }),
}
