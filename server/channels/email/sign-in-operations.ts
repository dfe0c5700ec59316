// Connecting a mailbox by signing in at Google or Microsoft. What must be kept meanwhile is encrypted in the state that
// the provider returns, and counts only for the user who began: someone else's mailbox cannot be slipped in.
import { channels, mailboxProviders } from '../../../contract/channels.ts'
import { describeChannel } from '../../inbox/channels/describe.ts'
import { ownChannel } from '../../inbox/channels/find.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import { sealMark, type Vault } from '../../platform/vault.ts'
import { addMailbox, connectAgain, refuseDouble, refuseTeam } from './add.ts'
import { type MailboxServices, type MailboxSettings, type Provider, sealSecrets } from './mailbox.ts'
import { MailboxError } from './mailbox-error.ts'
import { providerFacts, randomVerifier } from './oauth.ts'
import { tryMailbox } from './try-connection.ts'

const place = 'mailbox sign-in'
const validMs = 15 * 60_000

type Begun = {
  provider: Provider
  verifier: string
  company_id: string
  user_id: string
  name: string | null
  is_personal: boolean
  channel_id: string | null
  until: number
}

type Names = 'listMailboxProviders' | 'startMailboxSignIn' | 'getMailboxSignInPage' | 'completeMailboxSignIn'

export const signInOperations = (services: MailboxServices): Handlers<Pick<typeof channels, Names>> => ({
  async listMailboxProviders() {
    const { signIns } = services
    const items = mailboxProviders.map((provider) => ({
      provider,
      is_set_up: signIns.isSetUp(provider),
      redirect_address: signIns.redirectAddress,
      scopes: providerFacts[provider].scopes,
    }))
    return { items }
  },

  async startMailboxSignIn(context, { provider, name, is_personal, channel_id }) {
    const { company_id, user_id } = actorOf(context)
    const channel = channel_id ? await ownChannel(context, channel_id) : null
    if (!channel) refuseTeam(context, is_personal)
    const verifier = randomVerifier()
    const state = seal(services.vault, {
      provider,
      verifier,
      company_id,
      user_id,
      is_personal,
      name: name ?? null,
      channel_id: channel_id ?? null,
      until: context.now.getTime() + validMs,
    })
    return { address: await explaining(() => services.signIns.begin(provider, state, verifier, channel?.address)) }
  },

  /** The browser sends no cookie along here. The web app finishes with the session of the user who began. */
  async getMailboxSignInPage(_context, { state, code, error }) {
    const begun = state ? opened(services.vault, state) : undefined
    if (!begun || !state) {
      const words = error
        ? `The provider said: ${error}. The mailbox was not connected.`
        : 'This address only works after signing in with the provider.'
      return { title: 'Not connected', html: `<p>${escapeHtml(words)} Close this page and try again.</p>` }
    }
    const path = begun.is_personal ? '/profile/mailboxes' : '/company/channels'
    const answer = new URLSearchParams(code ? { state, code } : { error: error ?? 'no_code' })
    return { title: 'Signed in', html: '', redirect: `${path}?${answer}` }
  },

  completeMailboxSignIn: prepared(
    channels.completeMailboxSignIn,
    async (context, { state, code }) => {
      const begun = begunBy(context, services.vault, state)
      const { provider, verifier } = begun
      const signedIn = await explaining(() => services.signIns.finish(provider, { code, state, verifier }))
      const credentials = { username: signedIn.address, accessToken: signedIn.tokens.access_token }
      await tryMailbox(context, services, { ...services.signIns.serversOf(provider), credentials })
      return { begun, ...signedIn }
    },
    async (context, _input, { begun, address, tokens }) => {
      const { provider, name, is_personal, channel_id } = begun
      if (channel_id) return signInAgain(context, services, channel_id, address, tokens)
      refuseTeam(context, is_personal)
      const settings = { ...services.signIns.serversOf(provider), username: address, provider }
      const mailbox = { name: name ?? address, address, is_personal, settings, secrets: tokens }
      return describeChannel(context, await addMailbox(context, services, mailbox))
    },
  ),
})

async function signInAgain(
  context: Context,
  { vault }: MailboxServices,
  id: string,
  address: string,
  tokens: Parameters<typeof sealSecrets>[2],
) {
  const row = await ownChannel(context, id)
  if (row.address !== address)
    throw new AppError(
      'conflict',
      `You signed in as ${address}, but this channel is ${row.address}. Sign in as ${row.address}.`,
    )
  if (row.disconnected_at) await refuseDouble(context, address, row.settings as MailboxSettings)
  await connectAgain(context, row, { secrets: sealSecrets(vault, row, tokens) })
  return describeChannel(context, { ...row, state: 'connecting', state_reason: null })
}

const seal = (vault: Vault, begun: Begun) =>
  vault.seal(JSON.stringify(begun), place).subarray(sealMark.length).toString('base64url')

function opened(vault: Vault, state: string): Begun | undefined {
  try {
    // Without the mark, the vault would take it for a value of version 0.1, which is not bound to a place.
    return JSON.parse(vault.open(Buffer.concat([sealMark, Buffer.from(state, 'base64url')]), place)) as Begun
  } catch {
    // Not sealed by us.
    return undefined
  }
}

function begunBy(context: Context, vault: Vault, state: string) {
  const { company_id, user_id } = actorOf(context)
  const begun = opened(vault, state)
  if (begun && begun.user_id === user_id && begun.company_id === company_id && begun.until > context.now.getTime())
    return begun
  throw new AppError('conflict', 'This sign-in has expired or was started by someone else. Start again.')
}

async function explaining<T>(work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof MailboxError) throw new AppError('conflict', error.message)
    throw error
  }
}
