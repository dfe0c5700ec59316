// Signing in to mailboxes at Google and Microsoft, with the client that the installation has registered there.
import { randomBytes } from 'node:crypto'
import type * as openid from 'openid-client'
import type { Config } from '../../platform/config.ts'
import type { Provider, Server, Tokens } from './mailbox.ts'
import { MailboxError } from './mailbox-error.ts'

/** Loaded with the first sign-in. */
const library = () => import('openid-client')

type ProviderFacts = {
  label: string
  issuer: string
  scopes: string[]
  /** For the address to sign in, so that the provider issues a refresh token. */
  asking: Record<string, string>
  imap: Server
  smtp: Server
}
export type ProviderSetup = ProviderFacts & { clientId: string; clientSecret: string }

const google: ProviderFacts = {
  label: 'Google',
  issuer: 'https://accounts.google.com',
  scopes: ['openid', 'email', 'https://mail.google.com/'],
  asking: { access_type: 'offline', prompt: 'consent' },
  imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
  smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
}
const microsoft = (tenant: string): ProviderFacts => ({
  label: 'Microsoft',
  issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
  scopes: [
    'openid',
    'email',
    'profile',
    'offline_access',
    'https://outlook.office.com/IMAP.AccessAsUser.All',
    'https://outlook.office.com/SMTP.Send',
  ],
  asking: { prompt: 'select_account' },
  imap: { host: 'outlook.office365.com', port: 993, security: 'tls' },
  smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
})

export const providerFacts = { google, microsoft: microsoft('common') }

export function readProviders(config: Pick<Config, 'google' | 'microsoft'>): Partial<Record<Provider, ProviderSetup>> {
  return {
    ...(config.google && { google: { ...google, ...config.google } }),
    ...(config.microsoft && { microsoft: { ...microsoft(config.microsoft.tenant), ...config.microsoft } }),
  }
}

export type SignedIn = { address: string; tokens: Tokens }
export type SignIns = ReturnType<typeof createSignIns>
type Setup = {
  baseUrl: URL
  providers: Partial<Record<Provider, ProviderSetup>>
  /** Only for tests, whose authorization server is on the loopback. */
  allowHttp?: boolean
}

const timeoutSeconds = 10
/** A token is renewed this long before it expires. */
export const renewAheadMs = 2 * 60_000

export function createSignIns({ baseUrl, providers, allowHttp = false }: Setup) {
  const redirectAddress = new URL('/public/mailboxes/signed-in', baseUrl).href
  const known = new Map<Provider, Promise<openid.Configuration>>()

  function setupOf(provider: Provider) {
    const setup = providers[provider]
    if (setup) return setup
    const { label } = providerFacts[provider]
    throw new MailboxError(`Signing in with ${label} is not set up on this server. Ask its operator.`, 'settings')
  }

  /** What the provider publishes about itself, asked once. */
  function configurationOf(provider: Provider) {
    const asking = known.get(provider) ?? discover(setupOf(provider))
    known.set(provider, asking)
    asking.catch(() => known.delete(provider))
    return asking
  }

  async function discover({ issuer, clientId, clientSecret }: ProviderSetup) {
    const openid = await library()
    const execute = allowHttp ? [openid.allowInsecureRequests] : []
    return openid.discovery(new URL(issuer), clientId, clientSecret, undefined, { execute, timeout: timeoutSeconds })
  }

  return {
    redirectAddress,
    isSetUp: (provider: Provider) => Boolean(providers[provider]),
    serversOf: (provider: Provider) => {
      const { imap, smtp } = setupOf(provider)
      return { imap, smtp }
    },

    /** Where to send the browser, and what must be kept until it comes back. */
    async begin(provider: Provider, state: string, verifier: string, address?: string) {
      const { scopes, asking } = setupOf(provider)
      const configuration = await configurationOf(provider).catch((error) => {
        throw explained(error, provider)
      })
      const openid = await library()
      return openid.buildAuthorizationUrl(configuration, {
        ...asking,
        redirect_uri: redirectAddress,
        scope: scopes.join(' '),
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(address && { login_hint: address }),
      }).href
    },

    async finish(provider: Provider, { code, state, verifier }: { code: string; state: string; verifier: string }) {
      const url = new URL(redirectAddress)
      url.search = new URLSearchParams({ code, state }).toString()
      try {
        const configuration = await configurationOf(provider)
        // Some providers name themselves in the address they send the browser to. We have only its code and state.
        if (configuration.serverMetadata().authorization_response_iss_parameter_supported)
          url.searchParams.set('iss', configuration.serverMetadata().issuer)
        const checks = { expectedState: state, pkceCodeVerifier: verifier }
        const openid = await library()
        const answer = await openid.authorizationCodeGrant(configuration, url, checks)
        return signedIn(answer, provider)
      } catch (error) {
        throw explained(error, provider)
      }
    },

    /** New tokens for old ones. Providers may answer with another refresh token, after which the old one is void. */
    async renew(provider: Provider, tokens: Tokens): Promise<Tokens> {
      try {
        const openid = await library()
        const answer = await openid.refreshTokenGrant(await configurationOf(provider), tokens.refresh_token)
        return tokensIn(answer, tokens.refresh_token)
      } catch (error) {
        throw explained(error, provider)
      }
    },
  }

  function signedIn(answer: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers, provider: Provider) {
    const claims = answer.claims()
    const address = [claims?.email, claims?.preferred_username].find(
      (name) => typeof name === 'string' && name.includes('@'),
    )
    const { label } = setupOf(provider)
    if (!address) throw new MailboxError(`${label} did not return the mailbox address. Sign in again.`, 'sign_in')
    if (!answer.refresh_token)
      throw new MailboxError(`${label} did not allow Kith to stay signed in. Sign in again and allow it.`, 'sign_in')
    return { address: String(address).toLowerCase(), tokens: tokensIn(answer, answer.refresh_token) }
  }
}

const tokensIn = (answer: openid.TokenEndpointResponse, refreshToken: string): Tokens => ({
  refresh_token: answer.refresh_token ?? refreshToken,
  access_token: answer.access_token,
  expires_at: new Date(Date.now() + (answer.expires_in ?? 3600) * 1000).toISOString(),
})

/** For PKCE (RFC 7636). */
export const randomVerifier = () => randomBytes(32).toString('base64url')

/** The provider's own words may repeat a code or token. */
function explained(error: unknown, provider: Provider) {
  if (error instanceof MailboxError) return error
  const { label } = providerFacts[provider]
  const { error: code } = error as { error?: string }
  if (code === 'invalid_grant' || code === 'interaction_required' || code === 'consent_required')
    return new MailboxError(`${label} no longer accepts the sign-in. Sign in again.`, 'sign_in')
  if (code === 'invalid_client' || code === 'unauthorized_client')
    return new MailboxError(
      `${label} rejected this server’s client. The server’s operator must check the client ID and secret.`,
    )
  return new MailboxError(`${label} could not be reached for sign-in. Retrying.`)
}
