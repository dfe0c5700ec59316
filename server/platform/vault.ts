// Seals the secrets that we must be able to read again: mail passwords, seeds of authenticator apps.
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, StartError } from './config.ts'
import type { Db } from './db.ts'

/** `place` names column and row, such as `users.totp_secret ID`: a value moved to another row does not open. */
export type Vault = {
  seal(text: string, place: string): Buffer
  open(sealed: Buffer, place: string): string
  fingerprint: string
}

/** The first bytes of a sealed value. Values from version 0.1 have neither mark nor place; the start seals them again. */
export const sealMark = Buffer.from('KITH2')
const nonceBytes = 12
const tagBytes = 16
const keyFile = 'secret.key'

export function createVault(secret: string): Vault {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'kith vault', 32))
  return {
    fingerprint: hash('sha256', Buffer.concat([Buffer.from('fingerprint'), key]), 'hex').slice(0, 16),
    seal(text, place) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([sealMark, nonce, cipher.getAuthTag(), sealed])
    },
    open(value, place) {
      const isMarked = value.subarray(0, sealMark.length).equals(sealMark)
      const sealed = isMarked ? value.subarray(sealMark.length) : value
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
      if (isMarked) decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** SECRET_KEY, or a key of our own that is made once under DATA_DIR. */
export function readSecretKey({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>) {
  if (secretKey) return secretKey
  const file = join(dataDir, keyFile)
  if (!existsSync(file)) writeSecretKey(dataDir, randomBytes(32).toString('base64url'))
  return readFileSync(file, 'utf8').trim()
}

/** Made aside and linked into place, so that two starts at once agree on one key. */
export function writeSecretKey(dataDir: string, secret: string) {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const made = join(dataDir, `${keyFile}.${randomBytes(6).toString('hex')}`)
  writeFileSync(made, `${secret}\n`, { mode: 0o600 })
  try {
    linkSync(made, join(dataDir, keyFile))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(made)
  }
}

/** What was sealed with another key cannot be read: better said at the start than at the next sign-in. */
export async function refuseOtherKey(db: Db, { fingerprint }: Vault) {
  await db
    .insertInto('installation')
    .values({ name: 'vault', value: fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const known = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'vault')
    .executeTakeFirstOrThrow()
  if (known.value === fingerprint) return
  throw new StartError(
    'The secrets in this database were sealed with another key. Copy secret.key from the DATA_DIR where Kith ran before, or set SECRET_KEY to its content.\n' +
      'If that key is lost for good, start once with FORGET_SECRETS=1: mail passwords and two-factor sign-in are then forgotten, everything else stays.',
  )
}

export const forgetKey = (db: Db) => db.deleteFrom('installation').where('name', '=', 'vault').execute()
