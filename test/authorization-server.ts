// A real authorization server on the loopback, in the place of Google's or Microsoft's. Everyone who is sent to it is
// signed in at once as `account`.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll } from 'vitest'

type Settings = {
  redirectUri: string
  /** Besides openid, email and offline_access. */
  scopes?: string[]
  accessTokenSeconds?: number
}

const lasting = Object.fromEntries(
  ['Grant', 'IdToken', 'Interaction', 'RefreshToken', 'Session'].map((kind) => [kind, 86_400]),
)

export async function testAuthorizationServer({ redirectUri, scopes = [], accessTokenSeconds = 3600 }: Settings) {
  const client = { id: 'kith', secret: randomBytes(16).toString('hex') }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `http://${host}`
  const state = {
    account: 'ada@acme.test',
    accessTokenSeconds,
    /** Answers requests for tokens with 503. */
    isDown: false,
    /** How often a refresh token was used. */
    refreshes: 0,
    /** Every refresh token that was issued. */
    refreshTokens: [] as string[],
  }

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    scopes: ['openid', 'offline_access', ...scopes],
    claims: { openid: ['sub'], email: ['email'] },
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(16).toString('hex')] },
    features: { devInteractions: { enabled: false }, introspection: { enabled: true, allowedPolicy: () => true } },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, email: id }) }),
    interactions: { url: () => '/sign-in' },
    issueRefreshToken: () => true,
    pkce: { required: () => true },
    rotateRefreshToken: true,
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
    ttl: { ...lasting, AccessToken: () => state.accessTokenSeconds },
  })
  provider.on('refresh_token.saved', (token) => {
    state.refreshTokens.push(token.jti)
  })
  const handle = provider.callback()

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url!, issuer)
    if (pathname === '/sign-in') return signIn(request, response)
    if (pathname === '/token' && state.isDown) return void response.writeHead(503).end()
    if (pathname === '/token') countRefreshes(request)
    await handle(request, response)
  }

  function countRefreshes(request: IncomingMessage) {
    request.on('data', (body) => {
      if (String(body).includes('grant_type=refresh_token')) state.refreshes++
    })
    request.pause()
  }

  async function signIn(request: IncomingMessage, response: ServerResponse) {
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: state.account, clientId: client.id })
    grant.addOIDCScope(params.scope!)
    const result = { login: { accountId: state.account }, consent: { grantId: await grant.save() } }
    await provider.interactionFinished(request, response, result)
  }

  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    issuer,
    client,
    state,
    /** Where Dovecot asks who an access token belongs to. */
    introspection: `http://${client.id}:${client.secret}@${host}/token/introspection`,
    /** What the user's browser does: follows the address to sign in until it is sent back to us. */
    follow: (url: string) => follow(url, redirectUri),
    async revoke() {
      for (const token of state.refreshTokens) await (await provider.RefreshToken.find(token))?.destroy()
    },
  }
}

async function follow(start: string, redirectUri: string) {
  const cookies = new Map<string, string>()
  for (let url = start; ; ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const text of answer.headers.getSetCookie()) {
      const [name, value] = text.split(';')[0]!.split('=') as [string, string]
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`The authorization server answered ${answer.status}: ${await answer.text()}`)
    url = new URL(location, url).href
    if (url.startsWith(redirectUri)) return url
  }
}
