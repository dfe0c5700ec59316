import { randomUUIDv7 } from 'node:crypto'
import { mostPictureKb } from '../../contract/limits.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'

const requirement = `Use a PNG, JPEG or WebP picture of at most ${mostPictureKb} kB`

/** Stores a picture, deletes the old one and returns the new id. `image` null only deletes. */
export async function replacePicture(context: Context, old: string | null, image: string | null) {
  const { company_id } = actorOf(context)
  if (old) await context.db.deleteFrom('pictures').where('company_id', '=', company_id).where('id', '=', old).execute()
  if (image === null) return null
  const bytes = Buffer.from(image, 'base64')
  const type = typeOf(bytes)
  if (!type || bytes.length > mostPictureKb * 1024) {
    throw new AppError('invalid_input', `${requirement}.`, {
      errors: [{ path: 'image', message: requirement }],
    })
  }
  const id = randomUUIDv7()
  await context.db.insertInto('pictures').values({ company_id, id, type, bytes, created_at: context.now }).execute()
  return id
}

/** Detected from the content, because a declared type cannot be trusted. */
function typeOf(bytes: Buffer) {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png'
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'image/jpeg'
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? 'image/webp' : undefined
}
