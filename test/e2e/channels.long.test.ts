// Covers: web/channels web/conversations server/channels/email web/screens/settings
import { describe, expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere } from '../browser.ts'
import { hasDovecot } from '../dovecot.ts'
import { letter } from '../mailboxes.ts'
import { soon } from '../worker.ts'
import { testChannels } from './channels-page.ts'

describe.skipIf(!hasDovecot)('a mailbox in the web app', async () => {
  if (!hasDovecot) return
  const { at, expectComplaint, baseUrl, dovecot, smtp } = await testChannels()
  const eve = { from: 'Eve <eve@customer.test>', to: 'team@acme.test' }

  test('is connected in a short dialog that says what is wrong, then shows its true state and can be disconnected', async () => {
    await dovecot.deliver('team@acme.test', letter({ ...eve, subject: 'Offer', id: '<first@customer.test>' }))
    expectComplaint(/422/)
    const { page, api } = await at('/company/channels')
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByRole('menuitem', { name: 'Mailbox' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email address').fill('team@acme.test')
    await expectUsable(page)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByLabel('Password or app password').and(page.locator(':focus')).waitFor()
    await dialog.getByRole('button', { name: 'Change servers' }).click()
    const servers = [dovecot.port, smtp.port]
    for (const [index, group] of ['Incoming mail (IMAP)', 'Outgoing mail (SMTP)'].entries()) {
      const fields = dialog.getByRole('group', { name: group })
      await fields.getByLabel('Server').fill('127.0.0.1')
      await fields.getByRole('combobox', { name: 'Security' }).click()
      await page.getByRole('option', { name: /None/ }).click()
      await fields.getByLabel('Port').fill(String(servers[index]))
    }
    await dialog.getByLabel('Name', { exact: true }).fill('Support')
    await dialog.getByLabel('Password or app password').fill('wrong')
    await expectUsable(page)
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.getByText(/refused the user name or password/).waitFor()
    expect((await api.listChannels({})).items).toEqual([])
    await dialog.getByLabel('Password or app password').fill('secret')
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()

    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor()
    await page.getByText('Up to date').waitFor()
    const inbox = page.getByRole('row', { name: /INBOX/ })
    await inbox.waitFor()
    const [, here, there] = await inbox.getByRole('cell').allTextContents()
    expect(Number(here)).toBeGreaterThan(0)
    expect(here).toBe(there)
    await expectUsableEverywhere(page)

    await page.getByRole('textbox', { name: 'Signature' }).fill('Your support team')
    await page.getByRole('button', { name: 'Save signature' }).click()
    await page.getByText('Channel saved').waitFor()
    const [channel] = (await api.listChannels({})).items
    expect(channel).toMatchObject({ name: 'Support', signature: 'Your support team', owner_id: null })

    const replies = { name: /Match replies by address/ }
    await page.getByRole('switch', replies).click()
    await page.getByRole('switch', { ...replies, checked: true }).waitFor()

    // New mail is in the inbox by itself.
    await page.goto('/inbox')
    await page.getByRole('link', { name: /Offer/ }).waitFor()
    await dovecot.deliver('team@acme.test', letter({ ...eve, subject: 'Second offer', id: '<second@customer.test>' }))
    await page.getByRole('link', { name: /Second offer/ }).waitFor()

    // Another one can be connected from the list, whose rows are links.
    await page.goto('/company/channels')
    await page.getByRole('link', { name: 'Support', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add channel' }).click()
    await page.getByRole('menuitem', { name: 'Mailbox' }).click()
    await dialog.getByLabel('Email address').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Support', exact: true }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused: nothing is received or sent until you resume it.').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Up to date').waitFor()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Channel disconnected').waitFor()
    await soon(async () =>
      expect((await api.listChannels({})).items.every(({ state }) => state === 'disconnected')).toBe(true),
    )
  })

  test('is connected by signing in at Google; if access is refused there, the page here says so', async () => {
    const { page, api, owner } = await at('/profile/mailboxes')
    const begin = async () => {
      await page.getByRole('button', { name: 'Connect a mailbox' }).click()
      await page.getByRole('dialog').getByLabel('Email address').fill('ada@acme.test')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Sign in with Google' }).waitFor()
      await expectUsable(page)
    }
    await begin()
    const { address } = await api.startMailboxSignIn({ provider: 'google' })
    const state = new URL(address).searchParams.get('state')!
    await page.goto(`${baseUrl}/public/mailboxes/signed-in?${new URLSearchParams({ state, error: 'access_denied' })}`)
    await page.getByText('access was not allowed').waitFor()
    await expectUsable(page)

    await begin()
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
    await page.getByText('Up to date').waitFor()
    const [channel] = (await api.listChannels({})).items
    expect(await api.getChannel({ id: channel!.id })).toMatchObject({ provider: 'google', owner_id: owner.user_id })
    expect(new URL(page.url()).search).toBe('')
  })
})
