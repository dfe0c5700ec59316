import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** A value as version 0.1 sealed it: bound to no row. */
export function oldSeal(secret: string, text: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'kith vault', 32))
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}
