// Encrypts secrets that must be readable again: mail passwords, secrets of authenticator apps and of webhooks.
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, StartError } from './config.ts'
import type { Db } from './db.ts'

/** `place` names column and row, such as `users.totp_secret ID`, so that a value moved to another row cannot be decrypted. */
export type Vault = {
  seal(text: string, place: string): Buffer
  open(sealed: Buffer, place: string): string
  /** A key for one purpose, always the same. */
  keyFor(purpose: string): Buffer
  fingerprint: string
}

/** The first bytes of an encrypted value. Values of version 0.1 have no mark and no place; the start encrypts them again. */
export const sealMark = Buffer.from('KITH2')
const nonceBytes = 12
const tagBytes = 16
const keyFile = 'secret.key'

export function createVault(secret: string): Vault {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'kith vault', 32))
  return {
    fingerprint: hash('sha256', Buffer.concat([Buffer.from('fingerprint'), key]), 'hex').slice(0, 16),
    keyFor: (purpose) => Buffer.from(hkdfSync('sha256', secret, '', `kith ${purpose}`, 32)),
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

/** SECRET_KEY, or a key that is generated once in DATA_DIR. */
export function readSecretKey({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>) {
  if (secretKey) return secretKey
  const file = join(dataDir, keyFile)
  if (!existsSync(file)) writeSecretKey(dataDir, randomBytes(32).toString('base64url'))
  return readFileSync(file, 'utf8').trim()
}

/** Written to a temporary file and linked, so that two concurrent starts use the same key. */
export function writeSecretKey(dataDir: string, secret: string) {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const temporary = join(dataDir, `${keyFile}.${randomBytes(6).toString('hex')}`)
  writeFileSync(temporary, `${secret}\n`, { mode: 0o600 })
  try {
    linkSync(temporary, join(dataDir, keyFile))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary)
  }
}

/** Secrets encrypted with another key cannot be read. Reports this at startup instead of at the next sign-in. */
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
    'The secrets in this database were encrypted with another key. Copy secret.key from the DATA_DIR of the previous installation, or set SECRET_KEY to its content.\n' +
      'If that key is lost, start once with FORGET_SECRETS=1. This deletes mail passwords, two-factor sign-in and the signing secrets of webhooks, and keeps everything else.',
  )
}

export const forgetKey = (db: Db) => db.deleteFrom('installation').where('name', '=', 'vault').execute()
