// Covers: web/screens/settings/webhooks server/webhooks
import { expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { phone } from '../chromium.ts'
import { soon } from '../worker.ts'
import { create, dialog } from './record-page.ts'
import { log, testWebhooks } from './webhooks-page.ts'

const { kith, ada, visit, expectComplaint, program } = await testWebhooks()

test('a receiver that is gone disables its webhook, which a phone shows, with missed events sent on request', async () => {
  const { url, received, answer } = program('/gone', 410)
  const { owner, token, api } = await ada()
  const { id } = await api.createWebhook({ target_url: url, description: 'Warehouse' })
  await create(api, 'people', { first_name: 'Grace' })
  await soon(async () => expect((await api.getWebhook({ id })).state).toBe('disabled'))
  const page = await visit('/company', { token, viewport: phone, colorScheme: 'dark' })
  await page.getByText('Kith disabled a webhook.').waitFor()
  await expectUsable(page)
  await page.getByRole('alert').getByRole('link', { name: 'Warehouse' }).click()
  await page.getByText('Kith disabled this webhook').waitFor()
  await log(page).getByRole('link').click()
  await dialog(page).getByText('Attempt 1 · 410').waitFor()
  await expectUsable(page)
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  answer(200)
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Webhook resumed').waitFor()
  await page.getByRole('button', { name: 'Actions for this webhook' }).click()
  await page.getByRole('menuitem', { name: 'Resend events' }).click()
  await expectUsable(page)
  await dialog(page).getByRole('button', { name: 'Resend events' }).click()
  await page.getByText('1 event is sent again').waitFor()
  await log(page).getByRole('img', { name: 'Delivered' }).waitFor()
  expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  await page.getByRole('button', { name: 'Actions for this webhook' }).click()
  await page.getByRole('menuitem', { name: 'Resend events' }).click()
  await dialog(page).getByRole('radio', { name: 'All matching events' }).check()
  await dialog(page).getByRole('button', { name: 'Resend events' }).click()
  await log(page).getByText('Replay').first().waitFor()
  await expectUsable(page)

  await page.goto('/company/webhooks')
  await page.getByRole('link', { name: 'Warehouse' }).waitFor()
  await expectUsable(page)
  expectComplaint(/403|404/)
  const member = await visit(`/company/webhooks/${id}`, {
    token: await kith.given.session(await kith.given.user(owner)),
  })
  await member.getByText('You don’t have access').waitFor()
  await member.goto('/company/members')
  await member.getByRole('navigation', { name: 'Company' }).waitFor()
  expect(await member.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
})
