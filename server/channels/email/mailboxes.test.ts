// Mailboxes as users meet them: connected, read, answered and disconnected, at real servers.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { testAuthorizationServer } from '../../../test/authorization-server.ts'
import { hasDovecot, testDovecot } from '../../../test/dovecot.ts'
import type { GivenUser } from '../../../test/given.ts'
import { testLive } from '../../../test/live.ts'
import { givenMailbox, letter } from '../../../test/mailboxes.ts'
import { waitForProcesses } from '../../../test/patience.ts'
import { testSmtp } from '../../../test/smtp.ts'
import { soon, testWorker } from '../../../test/worker.ts'
import { mailboxOf, type Server } from './mailbox.ts'
import { tryPlusAddresses } from './plus-addresses.ts'

waitForProcesses()

describe.skipIf(!hasDovecot)('a mailbox', async () => {
  if (!hasDovecot) return
  const redirectUri = 'http://localhost:3000/public/mailboxes/signed-in'
  const google = await testAuthorizationServer({ redirectUri, scopes: ['https://mail.google.com/'] })
  const users = { 'team@acme.test': 'secret', 'ada@acme.test': 'secret', 'eve@customer.test': 'secret' }
  const dovecot = await testDovecot({ users, introspection: google.introspection })
  /** What goes wrong at the SMTP server. */
  const trouble = { hangsUp: false, plus: '' as '' | 'refused' | 'lost' }
  const smtp = await testSmtp({
    auth: { user: 'team@acme.test', pass: 'secret' },
    hangsUp: () => trouble.hangsUp,
    refuse: (to) => (trouble.plus === 'refused' && to.includes('+') ? '550 No such user' : undefined),
    deliver: async (to, source, from) => trouble.plus !== 'lost' && dovecot.deliver(to, source, from),
  })
  const at = (port: number): Server => ({ host: '127.0.0.1', port, security: 'none' })
  const openSmtp = await testSmtp({ isToken: () => true })
  const kith = await testApp({
    mailboxProviders: {
      google: {
        label: 'Google',
        issuer: google.issuer,
        asking: { prompt: 'consent' },
        scopes: ['openid', 'email', 'https://mail.google.com/'],
        imap: at(dovecot.port),
        smtp: at(openSmtp.port),
        clientId: google.client.id,
        clientSecret: google.client.secret,
      },
    },
  })
  kith.time.now = new Date()
  const worker = await testWorker(kith)
  const admin = await kith.given.company()
  const web = kith.withSession(await kith.given.session(admin))
  const colleague = kith.withSession(await kith.given.session(await kith.given.user(admin)))
  const team = {
    name: 'Team',
    address: 'team@acme.test',
    username: 'team@acme.test',
    is_personal: false,
    imap: at(dovecot.port),
    smtp: at(smtp.port),
  }
  const synced = (id: string) =>
    soon(async () => {
      const channel = await web.getChannel({ id })
      expect(channel).toMatchObject({ state: 'synced', state_reason: null })
      return channel
    })

  test('is tried before it is saved, and an error says what to do', async () => {
    await expect(web.connectMailbox({ ...team, password: 'wrong' })).rejects.toMatchObject({
      message: expect.stringContaining('refused the user name or password. Enter both again.'),
      problem: { status: 422 },
    })
    await expect(web.connectMailbox({ ...team, password: 'secret', smtp: at(1) })).rejects.toMatchObject({
      message: expect.stringContaining('No mail server responded at 127.0.0.1 on port 1.'),
      problem: { status: 422 },
    })
    await expect(colleague.connectMailbox({ ...team, password: 'secret' })).toBeRefused(403)
    expect((await web.listChannels({})).items).toEqual([])
  })

  test('of the team is read, and threads go on in both directions', async () => {
    await dovecot.deliver(
      'team@acme.test',
      letter({ from: 'Eve <eve@customer.test>', to: 'team@acme.test', subject: 'Offer', id: '<first@customer.test>' }),
      'eve@customer.test',
    )
    const { id } = await web.connectMailbox({ ...team, password: 'secret' })
    const channel = await synced(id)
    expect(channel.folders).toMatchObject([
      { path: 'INBOX', role: 'inbox', server_count: 1, our_count: 1 },
      { path: 'Sent', role: 'sent', server_count: 0 },
      { path: 'Archive', role: 'archive' },
    ])
    const [conversation] = (await web.listConversations({})).items
    expect(conversation).toMatchObject({ subject: 'Offer', message_count: 1 })

    const answer = { conversation_id: conversation!.id, text: 'Here it is.' }
    await web.sendMessage(answer)
    kith.time.now = new Date(Date.now() + 60_000)
    worker.sendMessages()
    const sent = await smtp.mailTo('eve@customer.test')
    expect(sent).toMatchObject({ subject: 'Re: Offer', inReplyTo: '<first@customer.test>' })
    expect(sent.from?.text).toBe('"Ada Admin (Team)" <team@acme.test>')
    await soon(async () => {
      const customer = await dovecot.client('eve@customer.test')
      const { exists } = await customer.mailboxOpen('INBOX')
      await customer.logout()
      expect(exists).toBe(1)
    })

    await dovecot.deliver(
      'team@acme.test',
      letter({
        from: 'Eve <eve@customer.test>',
        to: 'team@acme.test',
        subject: 'Re: Offer',
        text: 'Thank you.',
        more: `In-Reply-To: ${sent.messageId}\r\n`,
      }),
    )
    await soon(async () => expect((await web.listConversations({})).items).toMatchObject([{ message_count: 3 }]))

    // What was sent is in Sent, too, and is recognized there.
    await soon(async () => {
      const client = await dovecot.client('team@acme.test')
      const { exists } = await client.mailboxOpen('Sent')
      await client.logout()
      expect(exists).toBe(1)
    })
    await web.syncChannel({ id })
    await soon(async () =>
      expect((await web.getChannel({ id })).folders[1]).toMatchObject({ path: 'Sent', server_count: 1, our_count: 1 }),
    )
    expect((await web.listConversations({})).items).toMatchObject([{ message_count: 3 }])

    // Someone answers from another program.
    const other = await dovecot.client('team@acme.test')
    await other.append(
      'Sent',
      letter({
        from: 'team@acme.test',
        to: 'eve@customer.test',
        subject: 'Re: Offer',
        more: 'In-Reply-To: <first@customer.test>\r\n',
      }),
    )
    await other.logout()
    await web.syncChannel({ id })
    await soon(async () => expect((await web.listConversations({})).items).toMatchObject([{ message_count: 4 }]))
  })

  const teamChannel = async () =>
    (await web.listChannels({})).items.find(
      ({ address, state }) => address === team.address && state !== 'disconnected',
    )!
  const send = async (message: Parameters<typeof web.sendMessage>[0]) => {
    const queued = await web.sendMessage(message)
    kith.time.now = new Date(kith.time.now.getTime() + 60_000)
    worker.sendMessages()
    return queued
  }
  const titles = async () => (await web.listConversations({})).items.map(({ subject }) => subject)

  test('turns on addresses for replies only if a message to one arrives', async () => {
    const { id } = await teamChannel()
    trouble.plus = 'refused'
    await expect(web.updateChannel({ id, has_plus_addresses: true })).rejects.toMatchObject({
      message: expect.stringContaining('550 No such user'),
      problem: { status: 422 },
    })
    trouble.plus = 'lost'
    const row = await kith.db
      .selectFrom('channels')
      .selectAll()
      .where('company_id', '=', admin.company_id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await expect(tryPlusAddresses(kith, kith.services.mailboxes, mailboxOf(row), 700)).rejects.toMatchObject({
      message: expect.stringMatching(/^A message to team\+k\w{42}@acme\.test did not arrive/),
    })
    expect(await web.getChannel({ id })).toMatchObject({ has_plus_addresses: false })
    trouble.plus = ''
    expect(await web.updateChannel({ id, has_plus_addresses: true })).toMatchObject({ has_plus_addresses: true })
    const check = await soon(async () => {
      const found = (await web.listConversations({ filter: 'state = closed' })).items
      expect(found).toMatchObject([{ subject: 'Replies reach this mailbox', is_unread: false, participants: [] }])
      return found[0]!
    })
    expect(check.message_count).toBe(1)
  })

  test('finds the conversation of a reply by its address alone, if it is genuine and from who takes part', async () => {
    const { conversation_id } = await send({ to: ['eve@customer.test'], subject: 'By address', text: 'Hello' })
    const { replyTo } = await smtp.mailTo('eve@customer.test', 'By address')
    const to = replyTo!.value[0]!.address!
    expect(to).toMatch(/^team\+k\w{42}@acme\.test$/)
    const arrives = (from: string, to: string, subject: string) =>
      dovecot.deliver('team@acme.test', letter({ from, to, subject }))
    await arrives('Eve <eve@customer.test>', to.toUpperCase(), 'Nothing else')
    await soon(async () =>
      expect(await web.getConversation({ id: conversation_id })).toMatchObject({
        conversation: { message_count: 2, participants: [{ address: 'eve@customer.test' }] },
        messages: expect.arrayContaining([
          expect.objectContaining({
            subject: 'Nothing else',
            recipients: [expect.objectContaining({ address: 'team@acme.test' })],
          }),
        ]),
      }),
    )
    await arrives(
      'Eve <eve@customer.test>',
      to.replace(/.(?=@)/, (last) => (last === '0' ? '1' : '0')),
      'Forged',
    )
    await arrives('Mallory <mallory@elsewhere.test>', to, 'Stranger')
    await soon(async () => expect(await titles()).toEqual(expect.arrayContaining(['Forged', 'Stranger'])))
    const [stranger] = (await web.listConversations({ filter: 'subject = Stranger' })).items
    expect(stranger!.participants).toMatchObject([{ address: 'mallory@elsewhere.test' }])
    expect(await web.getConversation({ id: stranger!.id })).toMatchObject({ maybe: { id: conversation_id } })
    expect((await web.getConversation({ id: conversation_id })).conversation.message_count).toBe(2)
  })

  test('knows that a message was sent after all when it is found in Sent', async () => {
    const { id } = await teamChannel()
    trouble.hangsUp = true
    const { message, conversation_id } = await send({ to: ['eve@customer.test'], subject: 'Unsure', text: 'Hello' })
    const sent = async () => (await web.getConversation({ id: conversation_id })).messages[0]!
    await soon(async () => expect(await sent()).toMatchObject({ id: message!.id, state: 'unknown' }))
    trouble.hangsUp = false
    const other = await dovecot.client('team@acme.test')
    await other.append('Sent', letter({ id: `<${(await sent()).provider_id}>`, from: 'team@acme.test' }))
    await other.logout()
    await web.syncChannel({ id })
    await soon(async () => expect(await sent()).toMatchObject({ state: 'sent', state_reason: null }))
    expect((await web.getConversation({ id: conversation_id })).messages).toHaveLength(1)
    await soon(async () => {
      const { rows } = await kith.pool.query(
        `select from inbox_events where company_id = $1 and conversation_id = $2 and type = 'message.sent'`,
        [admin.company_id, conversation_id],
      )
      expect(rows, 'with all that follows').toHaveLength(1)
    })
    expect(smtp.received.filter(({ subject }) => subject === 'Unsure')).toEqual([])
  })

  test('gets a copy of what was sent into Sent as soon as it can be read again, once', async () => {
    const { id } = await teamChannel()
    trouble.plus = 'lost'
    await dovecot.stop()
    const { conversation_id } = await send({ to: ['eve@customer.test'], subject: 'While away', text: 'Hello' })
    const sent = async () => (await web.getConversation({ id: conversation_id })).messages[0]!
    await soon(async () => expect(await sent()).toMatchObject({ state: 'sent' }))
    await dovecot.start()
    trouble.plus = ''
    const { id: message_id } = await sent()
    const due = async () => {
      const { rows } = await kith.pool.query(
        'select message_id from sent_copies where company_id = $1 and message_id = $2',
        [admin.company_id, message_id],
      )
      return rows
    }
    expect(await due()).toHaveLength(1)
    const copies = async () => {
      const client = await dovecot.client('team@acme.test')
      await client.mailboxOpen('Sent')
      const found = await client.search({ header: { subject: 'While away' } }, { uid: true })
      await client.logout()
      return found
    }
    kith.time.now = new Date(kith.time.now.getTime() + 5 * 60_000)
    await web.syncChannel({ id })
    await soon(async () => expect(await copies()).toHaveLength(1))
    await soon(async () => expect(await due()).toEqual([]))
    // As a process leaves it that dies after it put the copy there.
    await kith.pool.query(
      'insert into sent_copies (company_id, channel_id, message_id, due_at) values ($1, $2, $3, now())',
      [admin.company_id, id, (await sent()).id],
    )
    await web.syncChannel({ id })
    await soon(async () => expect(await due()).toEqual([]))
    expect(await copies()).toHaveLength(1)
    expect((await web.getConversation({ id: conversation_id })).messages).toHaveLength(1)
  })

  test('that fails is reported once: a team mailbox to Admins, a personal one to its owner', async () => {
    const owner = await kith.given.user(admin)
    const { company_id } = admin
    const given = { company_id, port: dovecot.port, secrets: { password: 'wrong' }, vault: kith.services.vault }
    const boxes = [
      await givenMailbox(kith.db, { ...given, address: 'sales@acme.test' }),
      await givenMailbox(kith.db, { ...given, address: 'ben@acme.test', owner_id: owner.user_id }),
    ]
    const told = async (user: GivenUser) =>
      (await kith.withSession(await kith.given.session(user)).listNotifications({})).items.filter(
        ({ kind }) => kind === 'channel_failing',
      )
    for (const user of [admin, owner]) await soon(async () => expect(await told(user)).toHaveLength(1))
    expect(await told(owner)).toMatchObject([{ link: expect.stringContaining('mailboxes') }])
    const failures = () => dovecot.log().split(/auth failed.*user=<sales@acme\.test>/).length - 1
    const before = failures()
    await web.syncChannel({ id: boxes[0]!.id })
    await soon(async () => expect(failures()).toBeGreaterThan(before))
    await worker.wake()
    for (const user of [admin, owner]) expect(await told(user)).toHaveLength(1)
  })

  test('is connected by signing in at its provider, by the one who began, and again when the sign-in has ended', async () => {
    google.state.accessTokenSeconds = 3600
    const { address } = await web.startMailboxSignIn({ provider: 'google', is_personal: true })
    const back = new URL(await google.follow(address))
    const page = await kith.send(`${back.pathname}${back.search}`)
    expect(page.headers.get('location')).toMatch(/^\/profile\/mailboxes\?state=.+&code=/)
    const { state, code } = Object.fromEntries(back.searchParams) as { state: string; code: string }
    await expect(colleague.completeMailboxSignIn({ state, code })).toBeRefused(409)
    const { id } = await web.completeMailboxSignIn({ state, code })
    expect(await synced(id)).toMatchObject({ address: 'ada@acme.test', provider: 'google', owner_id: admin.user_id })
    await expect(colleague.getChannel({ id })).toBeRefused(404)

    await google.revoke()
    await kith.pool.query('update channels set secrets = null where company_id = $1 and id = $2', [
      admin.company_id,
      id,
    ])
    await web.syncChannel({ id })
    await soon(async () => expect(await web.getChannel({ id })).toMatchObject({ state: 'sign_in' }))
    const again = await web.startMailboxSignIn({ provider: 'google', channel_id: id })
    const returned = new URL(await google.follow(again.address)).searchParams
    await web.completeMailboxSignIn({ state: returned.get('state')!, code: returned.get('code')! })
    await synced(id)
  })

  test('tells open pages that it changed, a personal one those of its owner alone', async () => {
    const { listen, settled } = await testLive(kith)
    const other = await kith.given.user(admin)
    const pages = [await listen(admin), await listen(other)]
    const { items } = await web.listChannels({})
    const mine = items.find(({ is_mine, address }) => is_mine && address === 'ada@acme.test')!
    const ofTeam = await teamChannel()
    for (const { id } of [mine, ofTeam]) await web.updateChannel({ id, signature: 'Yours' })
    worker.wake()
    const about = (id: string) =>
      pages.map((heard) => heard.some((text) => text === `channel.changed {"channel_id":"${id}"}`))
    await soon(async () => expect([about(ofTeam.id)[0], about(mine.id)[0]]).toEqual([true, true]))
    await settled(admin.company_id, pages)
    expect(about(ofTeam.id)).toEqual([true, true])
    expect(about(mine.id)).toEqual([true, false])
  })

  test('goes on where it stopped when it is connected again, with its conversations', async () => {
    const [before] = (await web.listChannels({})).items.filter(({ address }) => address === 'team@acme.test')
    const { id } = before!
    const [conversation] = (await web.listConversations({ filter: `channel = "${id}"` })).items
    const count = async () => (await web.listConversations({ filter: `channel = "${id}"`, limit: 100 })).items.length
    const all = await count()
    const again = [
      () => web.updateChannel({ id, password: 'secret' }),
      () => web.connectMailbox({ ...team, password: 'secret' }),
    ]
    for (const connect of again) {
      await web.disconnectChannel({ id })
      await expect(web.sendMessage({ conversation_id: conversation!.id, text: 'Hello' })).toBeRefused(403)
      await expect(web.updateChannel({ id, name: 'Other' })).toBeRefused(409)
      expect((await connect()).id).toBe(id)
      await synced(id)
      expect(await count()).toBe(all)
      await web.sendMessage({ conversation_id: conversation!.id, text: 'Here we are again' })
    }
  })

  test('can be paused, shared, and disconnected with its messages', async () => {
    const [team_] = (await web.listChannels({})).items.filter(({ address }) => address === 'team@acme.test')
    const { id } = team_!
    expect(await web.updateChannel({ id, is_paused: true })).toMatchObject({ state: 'paused' })
    await expect(web.updateChannel({ id, imap: { ...at(dovecot.port), host: 'localhost' } })).rejects.toMatchObject({
      message: expect.stringContaining('Enter the password again'),
      problem: { status: 422 },
    })
    await web.updateChannel({ id, is_paused: false })
    await synced(id)
    await web.disconnectChannel({ id, messages: 'delete' })
    await soon(async () => expect((await web.listConversations({})).items).toEqual([]))
    await soon(() => expect(web.getChannel({ id })).toBeRefused(404))
  })
})
