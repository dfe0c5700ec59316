// Loaded before Kith while a release is recorded: sets the clock and makes IDs and secrets repeatable, so that recording
// again changes as few lines as possible. Never use this for real data.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

let now = Date.parse(process.env.STEADY_TIME!)
const seed = process.env.STEADY_SEED!

process.on('message', (time: number) => {
  // A day that needed more IDs than in another recording does not change those of the days after it.
  if (time !== now) counts.clear()
  now = time
  process.send!('set')
})

const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length ? given : [now]) as [number]))
  }
  static override now() {
    return now
  }
} as DateConstructor

// Each purpose has its own sequence, so that a connection opened at another time does not affect the others.
const counts = new Map<string, number>()
function draw(purpose: string, length: number) {
  const count = (counts.get(purpose) ?? 0) + 1
  counts.set(purpose, count)
  const pieces = Array.from({ length: Math.ceil(length / 32) }, (_, piece) =>
    crypto.createHash('sha256').update(`${seed} ${now} ${purpose} ${count} ${piece}`).digest(),
  )
  return Buffer.concat(pieces).subarray(0, length)
}

function uuid(version: 4 | 7) {
  const bytes = draw(`uuid${version}`, 16)
  if (version === 7) {
    bytes.writeUIntBE(now, 0, 6)
    // IDs of the same millisecond still sort in the order of their creation.
    bytes.writeUInt16BE(counts.get('uuid7')! & 0xfff, 6)
  }
  bytes[6] = (version << 4) | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

Object.assign(crypto, {
  randomUUID: () => uuid(4),
  randomUUIDv7: () => uuid(7),
  randomBytes: (length: number) => draw(`bytes${length}`, length),
  randomInt: (below: number) => draw('int', 6).readUIntBE(0, 6) % below,
})
globalThis.crypto.getRandomValues = (array) => {
  const bytes = new Uint8Array(array.buffer as ArrayBuffer, array.byteOffset, array.byteLength)
  bytes.set(draw(`values${bytes.length}`, bytes.length))
  return array
}
Math.random = () => draw('random', 6).readUIntBE(0, 6) / 2 ** 48
syncBuiltinESMExports()
