import { hash, randomBytes } from 'node:crypto'

/** What is kept of a token, so that a stolen database opens nothing. */
export const sha256 = (text: string) => hash('sha256', text, 'buffer')

/** 256 random bits that fit into a cookie or a link. */
export const randomToken = () => randomBytes(32).toString('base64url')
