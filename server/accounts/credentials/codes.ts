// The codes of authenticator apps (RFC 6238, with the settings every app supports), and recovery codes.
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { recoveryCodeCount } from '../../../contract/two-factor.ts'

const form = { issuer: 'Kith', algorithm: 'SHA1', digits: 6, period: 30 }

export const newSecret = () => new Secret({ size: 20 }).base32

export const uriOf = (secret: string, label: string) => new TOTP({ ...form, label, secret }).toString()

/** The time step of a code, which may be the current one, the previous or the next. */
export function timeStepOf(secret: string, code: string, now: Date) {
  const totp = new TOTP({ ...form, secret })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: 1 })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

/** Crockford's alphabet, in which no letter looks like a digit. Five bits per character. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 75 bits each, so that a code cannot be found from its hash. */
export const newRecoveryCodes = () =>
  Array.from({ length: recoveryCodeCount }, () => {
    const text = Array.from(randomBytes(15), (byte) => alphabet[byte % alphabet.length]).join('')
    return text.replace(/(.{5})(?=.)/g, '$1-')
  })

/** Accepts the usual mistakes of people who copy a code by hand. */
export const readRecoveryCode = (typed: string) =>
  typed
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
