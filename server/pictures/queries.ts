import { mostPictureKb } from '../../contract/shared/limits.ts'
import { addFile, deleteRow, type Files, type Kept, keepBytes } from '../files/queries.ts'
import { typeOf } from '../files/sniff.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import type { Db } from '../platform/db.ts'

const misfit = `Use a PNG, JPEG or WebP picture of at most ${mostPictureKb} kB`
const types = ['image/png', 'image/jpeg', 'image/webp']

/** Stores a picture before the transaction. Null means that the picture is removed. */
export async function keepPicture(files: Files, context: Context, image: string | null) {
  if (image === null) return null
  const bytes = Buffer.from(image, 'base64')
  if (!types.includes(typeOf(bytes)) || bytes.length > mostPictureKb * 1024) {
    throw new AppError('invalid_input', `${misfit}.`, {
      errors: [{ path: 'image', message: misfit }],
    })
  }
  return keepBytes(files, context, [bytes])
}

/** Returns the ID of the new picture, or null if the old one was only removed. */
export async function replacePicture(files: Files, context: Context, old: string | null, kept: Kept | null) {
  if (old) await removePicture(context.db, actorOf(context).company_id, old)
  if (!kept) return null
  return (await addFile(files, context, kept, { purpose: 'picture', name: 'picture' })).id
}

export async function removePicture(db: Db, company_id: string, id: string) {
  await deleteRow(db, company_id, id)
  await db.deleteFrom('pictures').where('company_id', '=', company_id).where('id', '=', id).execute()
}
