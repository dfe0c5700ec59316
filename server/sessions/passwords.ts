import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

type Cost = { m: number; t: number; p: number }
const current: Cost = { m: 19_456, t: 2, p: 1 } // OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
const tagLength = 32

const derive = promisify(argon2)

export async function hashPassword(password: string, cost = current) {
  const salt = randomBytes(16)
  const tag = await tagOf(password, salt, cost)
  return `$argon2id$v=19$m=${cost.m},t=${cost.t},p=${cost.p}$${unpadded(salt)}$${unpadded(tag)}`
}

/** Without a stored hash the same work is done, so that the time taken tells nobody whether the account exists. */
export async function verifyPassword(password: string, stored: string | null) {
  const { cost, salt, tag } = readHash(stored ?? (await aHash()))
  const matches = timingSafeEqual(await tagOf(password, salt, cost), tag)
  const outdated = cost.m !== current.m || cost.t !== current.t || cost.p !== current.p
  return { isRight: matches && stored !== null, outdated }
}

let dummy: Promise<string> | undefined
const aHash = () => {
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
