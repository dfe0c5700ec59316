import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { placeOfSecret } from '../credentials/two-factor.ts'
import { prunePasskeyChallenges } from './queries.ts'
import { relyingParty } from './relying-party.ts'

const kith = await testApp({ own: true })
const current_password = 'correct horse battery'
const password_hash = await hashPassword(current_password)
const { minutes } = kith
async function signedIn() {
  const owner = await kith.given.company({ password_hash })
  return { owner, api: kith.withSession(await kith.given.session(owner)) }
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

type Options = { challenge: string; user?: { id: string } }
type Bent = { origin?: string; rpId?: string; flags?: number; type?: string; handle?: string; fmt?: string }

/** A security key in software: ES256, no attestation. What a test bends, an attacker could. */
function authenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0
  let handle = ''
  const isUp = 0x01
  const isVerified = 0x04
  const hasKey = 0x40

  const clientData = (type: string, { challenge }: Options, { origin = 'http://localhost:3000' }: Bent) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const head = (flags: number, { rpId = 'localhost' }: Bent) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
  }
  const signed = (authData: Buffer, data: Buffer) => sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)

  return {
    id: base64(id),
    create(given: object, bent: Bent = {}) {
      const options = given as Options
      handle = options.user?.id ?? ''
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.from([0, id.length])
      const flags = bent.flags ?? isUp | isVerified | hasKey
      const authData = Buffer.concat([head(flags, bent), Buffer.alloc(16), length, id, isoCBOR.encode(key)])
      const data = clientData(bent.type ?? 'webauthn.create', options, bent)
      const statement = new Map<string, number | Uint8Array>()
      if (bent.fmt === 'packed') {
        statement.set('alg', -7).set('sig', new Uint8Array(signed(authData, data)))
      }
      const attestation = new Map<string, string | Uint8Array | typeof statement>([
        ['fmt', bent.fmt ?? 'none'],
        ['attStmt', statement],
        ['authData', new Uint8Array(authData)],
      ])
      return answer({
        clientDataJSON: base64(data),
        attestationObject: base64(isoCBOR.encode(attestation)),
        transports: ['internal', 'made-up'],
      })
    },
    get(given: object, bent: Bent = {}) {
      counter++
      const data = clientData(bent.type ?? 'webauthn.get', given as Options, bent)
      const authData = head(bent.flags ?? isUp | isVerified, bent)
      return answer({
        clientDataJSON: base64(data),
        authenticatorData: base64(authData),
        signature: base64(signed(authData, data)),
        userHandle: bent.handle ?? handle,
      })
    },
    rewind: () => {
      counter = 0
    },
  }

  function answer(response: object) {
    return { id: base64(id), rawId: base64(id), type: 'public-key', clientExtensionResults: {}, response }
  }
}
type Authenticator = ReturnType<typeof authenticator>

async function createPasskey(api: Api, device = authenticator(), name = 'My phone') {
  const { options } = await api.startPasskey({ current_password })
  return { device, passkey: await api.createPasskey({ name, response: device.create(options) }) }
}
async function withPasskey() {
  const { owner, api } = await signedIn()
  return { owner, api, ...(await createPasskey(api)) }
}
const signIn = async (device: Authenticator, bent?: Bent) => {
  const { options } = await kith.visitor.startPasskeySignIn({})
  return kith.visitor.signInWithPasskey({ response: device.get(options, bent) })
}
const noted = async ({ company_id }: { company_id: string }) => {
  const audit = await kith.db.selectFrom('audit_events').select('action').where('company_id', '=', company_id).execute()
  const outbox = await kith.db.selectFrom('outbox').select('payload').where('company_id', '=', company_id).execute()
  return { audit: audit.map((row) => row.action), events: outbox.map((row) => row.payload) }
}

describe('creating a passkey', () => {
  test('requests a discoverable passkey with user verification, and excludes existing ones', async () => {
    const { owner, api, device } = await withPasskey()
    const { options } = await api.startPasskey({ current_password })
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Kith' },
      user: { name: owner.email, displayName: 'Ada Admin' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: device.id, transports: ['internal'] }],
    })
  })

  test('adds it to the list, where it can be renamed and deleted', async () => {
    const { owner, api, passkey } = await withPasskey()
    expect(passkey).toMatchObject({ name: 'My phone', last_used_at: null })
    expect(await api.updatePasskey({ id: passkey.id, name: 'Old phone' })).toEqual({ ...passkey, name: 'Old phone' })
    expect(await api.listPasskeys({})).toEqual({ items: [{ ...passkey, name: 'Old phone' }] })
    await api.deletePasskey({ id: passkey.id })
    expect(await api.listPasskeys({})).toEqual({ items: [] })
    const { audit, events } = await noted(owner)
    expect(audit).toEqual(expect.arrayContaining(['passkey.added', 'passkey.deleted']))
    for (const what of ['passkey_added', 'passkey_deleted']) {
      expect(events).toContainEqual({ user_id: owner.user_id, what })
    }
  })

  test('accepts self-attestation, which some devices send unasked', async () => {
    const { api } = await signedIn()
    const { options } = await api.startPasskey({ current_password })
    await api.createPasskey({ name: 'x', response: authenticator().create(options, { fmt: 'packed' }) })
  })

  test('needs the right password', async () => {
    const { api } = await signedIn()
    await expect(api.startPasskey({ current_password: 'wrong' })).toBeRefused(422)
  })

  test.each<[string, Bent]>([
    ['another site', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:3001' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['nobody who was checked', { flags: 0x41 }],
    ['nobody who was there', { flags: 0x44 }],
    ['a sign-in', { type: 'webauthn.get' }],
    ['an attestation that was not requested', { fmt: 'apple' }],
  ])('refuses one made for %s', async (_, bent) => {
    const { api } = await signedIn()
    const { options } = await api.startPasskey({ current_password })
    const response = authenticator().create(options, bent)
    await expect(api.createPasskey({ name: 'x', response })).toBeRefused(422, 'invalid_input')
    expect(await api.listPasskeys({})).toEqual({ items: [] })
  })

  test('accepts each challenge once, within five minutes, from the user it was created for', async () => {
    const { api } = await signedIn()
    const { api: other } = await signedIn()
    const start = async () => (await api.startPasskey({ current_password })).options
    const device = authenticator()
    const first = await start()
    await expect(other.createPasskey({ name: 'x', response: device.create(first) })).toBeRefused(422)
    await expect(
      api.createPasskey({ name: 'x', response: device.create(first, { origin: 'http://x.example' }) }),
    ).toBeRefused(422)
    await expect(api.createPasskey({ name: 'x', response: device.create(first) })).toBeRefused(422)
    const late = await start()
    minutes(5)
    await expect(api.createPasskey({ name: 'x', response: device.create(late) })).toBeRefused(422)
    const replaced = await start()
    const newest = await start()
    await expect(api.createPasskey({ name: 'x', response: device.create(replaced) })).toBeRefused(422)
    await api.createPasskey({ name: 'x', response: device.create(newest) })
    const { options } = await kith.visitor.startPasskeySignIn({})
    await expect(api.createPasskey({ name: 'x', response: authenticator().create(options) })).toBeRefused(422)
  })

  test('refuses a passkey that already belongs to an account', async () => {
    const { device } = await withPasskey()
    const { api } = await signedIn()
    const { options } = await api.startPasskey({ current_password })
    await expect(api.createPasskey({ name: 'x', response: device.create(options) })).toBeRefused(409)
  })

  test('stops at twenty', async () => {
    const { owner, api } = await signedIn()
    const { company_id, user_id } = owner
    const row = { company_id, user_id, public_key: Buffer.alloc(1), counter: 0, name: 'x', created_at: kith.time.now }
    const rows = Array.from({ length: 19 }, () => ({ ...row, id: randomUUID(), credential_id: randomUUID() }))
    await kith.db.insertInto('passkeys').values(rows).execute()
    await createPasskey(api)
    await expect(api.startPasskey({ current_password })).toBeRefused(409)
  })

  test('does not affect the passkeys of others', async () => {
    const { owner, api, passkey } = await withPasskey()
    const colleague = kith.withSession(await kith.given.session(await kith.given.user(owner)))
    for (const other of [colleague, (await signedIn()).api]) {
      await expect(other.updatePasskey({ id: passkey.id, name: 'Mine' })).toBeRefused(404)
      await expect(other.deletePasskey({ id: passkey.id })).toBeRefused(404)
      expect(await other.listPasskeys({})).toEqual({ items: [] })
    }
    expect((await api.listPasskeys({})).items).toEqual([passkey])
  })
})

describe('signing in with a passkey', () => {
  test('needs no user name, starts a session and records the use', async () => {
    const { owner, api, device } = await withPasskey()
    const { options } = await kith.visitor.startPasskeySignIn({})
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options.allowCredentials ?? []).toEqual([])
    const planted = 'A'.repeat(43)
    const answer = await kith.send('/app/api/session/passkey', {
      method: 'POST',
      body: JSON.stringify({ response: device.get(options) }),
      headers: { 'content-type': 'application/json', cookie: `kith_session=${planted}` },
    })
    expect(await answer.json()).toMatchObject({ state: 'signed_in', me: { id: owner.user_id } })
    const token = /kith_session=([^;]+)/.exec(answer.headers.getSetCookie()[0]!)![1]!
    expect(token).not.toBe(planted)
    expect((await kith.withSession(token).whoami({})).id).toBe(owner.user_id)
    expect((await api.listPasskeys({})).items[0]!.last_used_at).toBe(kith.time.now.toISOString())
    expect((await noted(owner)).audit).toContain('session.started')
  })

  test('counts as both factors', async () => {
    const { owner, device } = await withPasskey()
    const on = { totp_secret: kith.services.vault.seal('x', placeOfSecret(owner)), totp_on_since: kith.time.now }
    await kith.db.updateTable('users').set(on).where('id', '=', owner.user_id).execute()
    expect(await signIn(device)).toMatchObject({ state: 'signed_in', me: { id: owner.user_id } })
  })

  test('fails the same way for an unknown passkey and for every kind of forgery', async () => {
    const { owner, device } = await withPasskey()
    const { owner: other } = await withPasskey()
    const attempts: [Authenticator, Bent?][] = [
      [authenticator()],
      [device, { origin: 'https://evil.example' }],
      [device, { rpId: 'evil.example' }],
      [device, { flags: 0x01 }],
      [device, { flags: 0x04 }],
      [device, { type: 'webauthn.create' }],
      [device, { handle: '' }],
      [device, { handle: Buffer.from(other.user_id.replaceAll('-', ''), 'hex').toString('base64url') }],
      [
        {
          ...authenticator(),
          get: (options) => ({ ...authenticator().get(options), id: device.id, rawId: device.id }),
        },
      ],
    ]
    const problems = []
    for (const [with_, bent] of attempts) {
      const { problem } = await signIn(with_, bent).then(
        () => ({ problem: null }),
        (error) => error,
      )
      problems.push({ ...problem, request_id: '' })
    }
    expect(problems[0]).toMatchObject({ status: 401, code: 'unauthenticated' })
    for (const problem of problems) expect(problem).toEqual(problems[0])
    await kith.refusals.flush()
    expect((await noted(owner)).audit).toContain('session.refused')
    expect(await signIn(device)).toMatchObject({ state: 'signed_in' })
  })

  test('cannot be replayed, and fails with an expired challenge or one created for another purpose', async () => {
    const { api, device } = await withPasskey()
    const { options } = await kith.visitor.startPasskeySignIn({})
    const response = device.get(options)
    const answers = await Promise.allSettled([1, 2, 3].map(() => kith.visitor.signInWithPasskey({ response })))
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    await expect(kith.visitor.signInWithPasskey({ response })).toBeRefused(401)
    const late = (await kith.visitor.startPasskeySignIn({})).options
    minutes(5)
    await expect(kith.visitor.signInWithPasskey({ response: device.get(late) })).toBeRefused(401)
    const { options: other } = await api.startPasskey({ current_password })
    await expect(kith.visitor.signInWithPasskey({ response: device.get(other) })).toBeRefused(401)
    const made = device.get({ challenge: randomBytes(32).toString('base64url') })
    await expect(kith.visitor.signInWithPasskey({ response: made })).toBeRefused(401)
  })

  test('detects a cloned device by its counter', async () => {
    const { device } = await withPasskey()
    await signIn(device)
    await signIn(device)
    device.rewind()
    await expect(signIn(device)).toBeRefused(401)
  })

  test('stops working once the passkey is deleted or its user deactivated or removed', async () => {
    const { api, device, passkey } = await withPasskey()
    await api.deletePasskey({ id: passkey.id })
    await expect(signIn(device)).toBeRefused(401)
    for (const column of ['deactivated_at', 'removed_at'] as const) {
      const { owner, device } = await withPasskey()
      await kith.db
        .updateTable('users')
        .set({ [column]: new Date() })
        .where('id', '=', owner.user_id)
        .execute()
      await expect(signIn(device)).toBeRefused(401)
    }
  })

  const clientData = (data: unknown) => base64(Buffer.from(JSON.stringify(data)))
  test.each<[object]>([
    [{}],
    [{ id: 'x', response: null }],
    [{ id: 'x', response: { clientDataJSON: 5 } }],
    [{ id: 'x', response: { clientDataJSON: clientData({ challenge: '\u0000' }) } }],
    [{ id: 'x', response: { clientDataJSON: clientData(null) } }],
  ])('refuses an invalid response: %j', async (nonsense) => {
    const response = { ...nonsense }
    await expect(kith.visitor.signInWithPasskey({ response })).toBeRefused(401)
    await expect((await signedIn()).api.createPasskey({ name: 'x', response })).toBeRefused(422)
  })

  test.each([7, null, 'a b', 'x'.repeat(9000)])('refuses an invalid ID: %j', async (id) => {
    const { options } = await kith.visitor.startPasskeySignIn({})
    const response = { clientDataJSON: clientData({ challenge: options.challenge }) }
    await expect(kith.visitor.signInWithPasskey({ response: { id, response } })).toBeRefused(401)
  })

  test.each([
    ['nothing', undefined],
    ['a number', 7],
    ['no CBOR', base64(Buffer.from('hello'))],
    ['CBOR without end', base64(Buffer.alloc(50_000, 0x81))],
  ])('refuses %s instead of a key', async (_, attestationObject) => {
    const { api } = await signedIn()
    const { options } = await api.startPasskey({ current_password })
    const { response, ...answer } = authenticator().create(options)
    const bent = { ...answer, response: { ...response, attestationObject } }
    await expect(api.createPasskey({ name: 'x', response: bent })).toBeRefused(422)
  })
})

test('a flood of challenges from one network is limited, and leftover challenges are deleted', async () => {
  minutes(60)
  for (let i = 0; i < 60; i++) await kith.visitor.startPasskeySignIn({})
  await expect(kith.visitor.startPasskeySignIn({})).toBeRefused(429)
  const elsewhere = await kith.app.inject({
    method: 'POST',
    url: '/app/api/session/passkey/options',
    remoteAddress: '203.0.113.9',
    headers: { host: 'localhost:3000' },
    payload: {},
  })
  expect(elsewhere.statusCode).toBe(200)
  minutes(5)
  await kith.visitor.startPasskeySignIn({})
  minutes(1)
  await prunePasskeyChallenges(kith.backgroundDb, kith.time.now)
  expect(await kith.db.selectFrom('passkey_challenges').selectAll().execute()).toHaveLength(1)
})

test.each([
  ['http://127.0.0.1:4000', 'http://localhost:4000', 'localhost'],
  ['https://crm.example.com', 'https://crm.example.com', 'crm.example.com'],
])('under %s passkeys belong to %s', async (baseUrl, origin, rpId) => {
  const party = relyingParty(new URL(baseUrl))
  const { challenge } = await party.requestOptions()
  const device = authenticator()
  expect(await party.readCreated(device.create({ challenge }, { origin, rpId }), challenge)).toMatchObject({
    id: device.id,
    transports: ['internal'],
  })
  expect(await party.readCreated(device.create({ challenge }, { origin: 'http://localhost', rpId }), challenge)).toBe(
    undefined,
  )
})
