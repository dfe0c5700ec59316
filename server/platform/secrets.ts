import { hash, randomBytes } from 'node:crypto'

/** Only the hash of a token is stored, so that a stolen database gives no access. */
export const sha256 = (text: string) => hash('sha256', text, 'buffer')

/** 256 random bits, safe in cookies and links. */
export const randomToken = () => randomBytes(32).toString('base64url')
