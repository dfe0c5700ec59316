// A passkey, registered as a browser does it. Without attestation nothing is signed, so the public key is enough.
import { createHash } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Caller } from './caller.ts'

const publicKey = {
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}
const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64url'))
const base64 = (binary: Uint8Array) => Buffer.from(binary).toString('base64url')

export async function addPasskey(origin: string, ada: Caller, current_password: string) {
  const { options } = await ada.post('/me/passkeys/options', { current_password })
  const { challenge } = options as { challenge: string }
  const client = { type: 'webauthn.create', challenge, origin, crossOrigin: false }
  const id = Buffer.from('the passkey of Ada')
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(publicKey.x)],
    [-3, bytes(publicKey.y)],
  ])
  const isPresentVerifiedWithKey = 0x45
  const site = createHash('sha256').update(new URL(origin).hostname).digest()
  const head = Buffer.from([isPresentVerifiedWithKey, 0, 0, 0, 0])
  const authData = Buffer.concat([site, head, Buffer.alloc(16), Buffer.from([0, id.length]), id, isoCBOR.encode(key)])
  const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', new Uint8Array(authData)],
  ])
  const response = {
    clientDataJSON: base64(Buffer.from(JSON.stringify(client))),
    attestationObject: base64(isoCBOR.encode(attestation)),
    transports: ['internal'],
  }
  const made = { id: base64(id), rawId: base64(id), type: 'public-key', clientExtensionResults: {}, response }
  await ada.post('/me/passkeys', { name: 'Laptop', response: made })
}
