// WebAuthn with this installation's settings. The library does the cryptography.
import { isIPv4 } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server'
import type { Actor } from '../../kernel/context.ts'

/** The browser's response, not yet validated. */
export type FromBrowser = Record<string, unknown>
export type KnownPasskey = { id: string; transports: string[] }

export const challengeMs = 5 * 60 * 1000

/** Loaded on first use, because loading it takes longer than loading the rest of Kith. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** EdDSA, ES256 and RS256. */
const algorithms = [-8, -7, -257]
/** WebAuthn allows ids of up to 1023 bytes. The public keys of these algorithms are far shorter than their limit. */
const longest = { id: 1400, publicKey: 2000 }
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

export type RelyingParty = ReturnType<typeof relyingParty>

export function relyingParty(baseUrl: URL) {
  const { id, origins } = identityOf(baseUrl)
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

  /** The new passkey, or nothing if the browser's response is invalid. */
  async function readCreated(sent: FromBrowser, expectedChallenge: string) {
    try {
      const response = sent as unknown as RegistrationResponseJSON
      if (await hasCertificate(response)) return
      const { verifyRegistrationResponse } = await library()
      const checked = { response, expectedChallenge, supportedAlgorithmIDs: algorithms, ...expected }
      const { verified, registrationInfo } = await verifyRegistrationResponse(checked)
      const credential = registrationInfo?.credential
      if (!verified || !credential) return
      if (credential.id.length > longest.id || credential.publicKey.length > longest.publicKey) return
      return { ...credential, transports: transports.filter((name) => credential.transports?.includes(name)) }
    } catch {} // The library throws for every invalid response. Its details would not help the user.
  }

  async function requestOptions() {
    const { generateAuthenticationOptions } = await library()
    return generateAuthenticationOptions({ rpID: id, timeout: challengeMs, userVerification: 'required' })
  }

  /** The passkey's new counter, or nothing if the passkey did not sign this challenge for this user. */
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
    } catch {
      // As above: what is invalid proves nothing.
    }
  }

  return { creationOptions, readCreated, requestOptions, readSigned }
}

/** Browsers reject an IP address as the relying party, but accept localhost. */
function identityOf({ hostname, origin, protocol, port }: URL) {
  const isLoopback = hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  if (!isLoopback) return { id: hostname, origins: [origin] }
  return { id: 'localhost', origins: [origin, `${protocol}//localhost${port && `:${port}`}`] }
}

const handleOf = (user_id: string) => Buffer.from(user_id.replaceAll('-', ''), 'hex')

/** We request no attestation. To check an unrequested certificate, the library might call a server named in it. */
async function hasCertificate({ response }: RegistrationResponseJSON) {
  const { decodeAttestationObject, isoBase64URL } = await helpers()
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  if (attestation.get('fmt') === 'none') return false
  return attestation.get('fmt') !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined
}

/** The challenge that the browser claims to answer. The signature proves it later. */
export function challengeIn(sent: FromBrowser) {
  try {
    const { clientDataJSON } = sent.response as { clientDataJSON: string }
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge: unknown }
    return isToken(challenge) ? challenge : null
  } catch {
    // Browsers can send anything.
    return null
  }
}

/** Only base64url may reach the database. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longest.id && /^[\w-]+$/.test(value)
