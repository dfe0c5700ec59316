// A certificate made on the spot, so that no private key lies in the repository.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** For one name, signed by itself, valid for an hour. */
export function selfSigned(name: string, validFrom = new Date()) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = sequence(set(sequence(oid('550403'), tagged(0x0c, Buffer.from(name)))))
  const validity = sequence(time(validFrom), time(new Date(validFrom.getTime() + 3_600_000)))
  const names = sequence(tagged(0x82, Buffer.from(name)))
  const extensions = sequence(sequence(oid('551d11'), tagged(0x04, names)))
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    issuer,
    validity,
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)])
  const der = sequence(body, ecdsaWithSha256, tagged(0x03, signature))
  const cert = `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

/** From now on this process trusts it. */
export const trust = (cert: string) => setDefaultCACertificates([...getCACertificates('default'), cert])

function tagged(tag: number, content: Buffer) {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts))
const set = (...parts: Buffer[]) => tagged(0x31, Buffer.concat(parts))
const oid = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const time = (at: Date) => tagged(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]|\.\d+/g, '')}`))
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
