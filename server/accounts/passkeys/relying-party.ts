// WebAuthn as this installation speaks it; the library does the cryptography.
import { isIPv4 } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server'
import type { Actor } from '../../kernel/context.ts'

/** What a browser sent, before anything about it is known. */
export type FromBrowser = Record<string, unknown>
export type KnownPasskey = { id: string; transports: string[] }

export const challengeMs = 5 * 60 * 1000

/** Loaded when it is first needed: it takes longer to load than the rest of Kith together. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** EdDSA, ES256 and RS256: understood by every Node that Kith runs on. */
const algorithms = [-8, -7, -257]
/** The longest that WebAuthn allows is 1023 bytes; a key of any kind we take is far shorter than this. */
const longest = { id: 1400, publicKey: 2000 }
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

export type RelyingParty = ReturnType<typeof relyingParty>

export function relyingParty(baseUrl: URL) {
  const { id, origins } = placeOf(baseUrl)
  const expected = { expectedRPID: id, expectedOrigin: origins, requireUserVerification: true }

  async function creationOptions({ user_id, name, email }: Actor, known: KnownPasskey[]) {
    const { generateRegistrationOptions } = await library()
    return generateRegistrationOptions({
      rpName: 'Kith',
      rpID: id,
      userID: new Uint8Array(handleOf(user_id)),
      userName: email ?? name,
      userDisplayName: name,
      timeout: challengeMs,
      attestationType: 'none',
      excludeCredentials: known,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: algorithms,
    })
  }

  /** The new passkey, or nothing if the browser's answer does not hold. */
  async function readCreated(sent: FromBrowser, expectedChallenge: string) {
    try {
      const response = sent as unknown as RegistrationResponseJSON
      if (await hasCertificate(response)) return
      const { verifyRegistrationResponse } = await library()
      const checked = { response, expectedChallenge, supportedAlgorithmIDs: algorithms, ...expected }
      const { verified, registrationInfo } = await verifyRegistrationResponse(checked)
      const made = registrationInfo?.credential
      if (!verified || !made || made.id.length > longest.id || made.publicKey.length > longest.publicKey) return
      return { ...made, transports: transports.filter((one) => made.transports?.includes(one)) }
    } catch {} // The library throws whatever is wrong; no detail of it would help the person.
  }

  async function requestOptions() {
    const { generateAuthenticationOptions } = await library()
    return generateAuthenticationOptions({ rpID: id, timeout: challengeMs, userVerification: 'required' })
  }

  /** The passkey's new counter, or nothing if the answer was not signed by it for this challenge and person. */
  async function readSigned(
    sent: FromBrowser,
    expectedChallenge: string,
    { user_id, ...credential }: WebAuthnCredential & { user_id: string },
  ) {
    try {
      const response = sent as unknown as AuthenticationResponseJSON
      if (response.response.userHandle !== handleOf(user_id).toString('base64url')) return
      const { verifyAuthenticationResponse } = await library()
      const checked = { response, expectedChallenge, credential, ...expected }
      const { verified, authenticationInfo } = await verifyAuthenticationResponse(checked)
      return verified ? authenticationInfo.newCounter : undefined
    } catch {}
  }

  return { creationOptions, readCreated, requestOptions, readSigned }
}

/** Browsers take no IP address, but they do take localhost. */
function placeOf({ hostname, origin, protocol, port }: URL) {
  const isLoopback = hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  if (!isLoopback) return { id: hostname, origins: [origin] }
  return { id: 'localhost', origins: [origin, `${protocol}//localhost${port && `:${port}`}`] }
}

const handleOf = (user_id: string) => Buffer.from(user_id.replaceAll('-', ''), 'hex')

/** We ask for no attestation. To check a certificate that comes unasked, the library might call a server named in it. */
async function hasCertificate({ response }: RegistrationResponseJSON) {
  const { decodeAttestationObject, isoBase64URL } = await helpers()
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  if (attestation.get('fmt') === 'none') return false
  return attestation.get('fmt') !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined
}

/** The challenge that the browser says it answers; whether it really does is checked with the signature. */
export function challengeIn(sent: FromBrowser) {
  try {
    const { clientDataJSON } = sent.response as { clientDataJSON: string }
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge: unknown }
    return isToken(challenge) ? challenge : null
  } catch {
    return null
  }
}

/** base64url: nothing else may reach the database. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longest.id && /^[\w-]+$/.test(value)
