import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { AppError } from '../../kernel/app-error.ts'

type Cost = { m: number; t: number; p: number }
const current: Cost = { m: 19_456, t: 2, p: 1 } // What OWASP recommends for argon2id: 19 MiB, two passes, one lane.
const tagLength = 32

const derive = promisify(argon2)

export async function hashPassword(password: string, cost = current) {
  const salt = randomBytes(16)
  const tag = await tagOf(password, salt, cost)
  return `$argon2id$v=19$m=${cost.m},t=${cost.t},p=${cost.p}$${unpadded(salt)}$${unpadded(tag)}`
}

/** For someone who has to choose a new password: no password leads to a tag of zeros. */
export const unusablePassword = `$argon2id$v=19$m=${current.m},t=${current.t},p=${current.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Does the same work without a stored hash, so that the response time does not reveal whether the account exists. */
export async function verifyPassword(password: string, stored: string | null) {
  const { cost, salt, tag } = readHash(stored ?? (await dummyHash()))
  const matches = timingSafeEqual(await tagOf(password, salt, cost), tag)
  const outdated = cost.m !== current.m || cost.t !== current.t || cost.p !== current.p
  return { isRight: matches && stored !== null, outdated }
}

let dummy: Promise<string> | undefined
const dummyHash = () => {
  dummy ??= hashPassword(randomBytes(16).toString('hex'))
  return dummy
}

const tagOf = (password: string, nonce: Buffer, { m, t, p }: Cost) =>
  derive('argon2id', { message: password.normalize('NFC'), nonce, memory: m, passes: t, parallelism: p, tagLength })

function readHash(stored: string) {
  const [, , , costs = '', salt = '', tag = ''] = stored.split('$')
  const [m, t, p] = costs.split(',').map((part) => Number(part.slice(2))) as [number, number, number]
  return { cost: { m, t, p }, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

export type PasswordOwner = { email?: string | null; name?: string; company_name?: string }

/** Refuses passwords that are easy to guess. `path` is the field that shows the error. */
export function refuseWeakPassword(password: string, owner: PasswordOwner, path = 'password') {
  const message = weaknessOf(password, owner)
  if (!message) return
  throw new AppError('invalid_input', `Choose another password. ${message}.`, { errors: [{ path, message }] })
}

const mostUsed = 3000
const fewestOtherCharacters = 5

function weaknessOf(password: string, { email, name, company_name }: PasswordOwner) {
  if (mostUsedPasswords().has(password.toLowerCase())) return 'This is one of the most common passwords'
  const text = wordsOf(password).join('')
  const known = [email, name, company_name, 'Kith'].flatMap((given) => wordsOf(given ?? ''))
  const longestFirst = known.filter((word) => word.length > 2).sort((a, b) => b.length - a.length)
  const other = longestFirst.reduce((rest, word) => rest.replaceAll(word, ''), text)
  if (other !== text && other.length < fewestOtherCharacters)
    return 'Use more than your name, email address or company name'
}

const wordsOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

let listed: Set<string> | undefined

/** Loaded on first use: loading the list is slow, and most processes never need it. */
function mostUsedPasswords() {
  if (listed) return listed
  const require = createRequire(import.meta.url)
  const { dictionary } = require('@zxcvbn-ts/language-common') as { dictionary: { 'passwords-common': string[] } }
  const all = dictionary['passwords-common']
  const allowed = all.filter((password) => password.length >= 8)
  const common = [...all.slice(0, mostUsed), ...allowed.slice(0, mostUsed)]
  listed = new Set(common.map((password) => password.toLowerCase()))
  return listed
}
