// Covers: web/channels web/conversations server/channels/email web/screens/settings
import { describe, expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { hasDovecot } from '../dovecot.ts'
import { soon } from '../worker.ts'
import { testChannels } from './channels-page.ts'

describe.skipIf(!hasDovecot)('a mailbox in the web app', async () => {
  if (!hasDovecot) return
  const { kith, at, visit, dovecot, smtp, server } = await testChannels()

  test('of one person is connected from the profile and private until it is shared', async () => {
    const { page, api, owner } = await at('/profile/mailboxes')
    await api.connectMailbox({
      name: 'Ada',
      address: 'ada@acme.test',
      is_personal: true,
      username: 'ada@acme.test',
      password: 'secret',
      imap: server(dovecot.port),
      smtp: server(smtp.port),
    })
    // It is there without a reload.
    await page.getByRole('link', { name: 'Ada', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
    await expectUsable(page)
    const ben = kith.withSession(await kith.given.session(await kith.given.user(owner)))
    expect((await ben.listChannels({})).items).toEqual([])
    await page.getByRole('switch', { name: /Share with the company/ }).click()
    await page.getByText('all messages, including old ones').waitFor()
    await expectUsable(page)
    expect((await ben.listChannels({})).items).toEqual([])
    await page.getByRole('button', { name: 'Share mailbox' }).click()
    await soon(async () => expect((await ben.listChannels({})).items).toHaveLength(1))
    const his = await visit('/company/channels', { token: await kith.given.session(owner), isAlone: true })
    await his.getByText('No channels yet').waitFor()
  })
})
