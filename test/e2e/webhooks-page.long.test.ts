// Covers: web/screens/settings/webhooks server/webhooks
import type { Page } from 'playwright-core'
import { Webhook as Verifier } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere } from '../browser.ts'
import { soon } from '../worker.ts'
import { create, dialog } from './record-page.ts'
import { log, testWebhooks } from './webhooks-page.ts'

const { at, expectComplaint, program } = await testWebhooks()

const detail = (page: Page) => page.getByRole('region', { name: 'Delivery', exact: true })

test('a webhook is added, receives what matches, fails, is resent, gets a new secret and is deleted', async () => {
  const { url, received, answer } = program('/warehouse', 200)
  const { page, api } = await at('/company/webhooks')
  await page.getByText('No webhooks yet').waitFor()
  await expectUsable(page)
  await page.getByRole('link', { name: 'Add webhook' }).click()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText('Enter a URL that starts with https://').waitFor()
  await page.getByLabel('URL', { exact: true }).fill(url)
  await page.getByRole('combobox', { name: 'Records' }).click()
  await page.getByRole('option', { name: 'Deals' }).click()
  await page.getByText('Only some').click()
  await page.getByRole('checkbox', { name: 'record.updated' }).uncheck()
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await page.getByRole('textbox', { name: /filter/i }).fill('amount > 100')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add header' }).click()
  await page.getByLabel('Name of header 1').fill('webhook-id')
  await page.getByLabel('Value of header 1').fill('crm team')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText('Kith sets this header').waitFor()
  await page.getByLabel('Name of header 1').fill('x-team')
  await expectUsableEverywhere(page)
  await page.getByRole('button', { name: 'Create webhook' }).click()

  const secret = await dialog(page).locator('code').innerText()
  await expectUsable(page)
  await page.keyboard.press('Escape')
  await dialog(page).getByText('You have not copied the secret').waitFor()
  await dialog(page).getByRole('button', { name: 'Copy secret' }).click()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await page.getByText('No deliveries yet').waitFor()

  await create(api, 'deals', { name: 'Small', amount: '50' })
  await create(api, 'deals', { name: 'Fleet', amount: '5000' })
  await log(page).getByRole('img', { name: 'Delivered' }).waitFor()
  expect(await log(page).count()).toBe(1)
  const { headers, body } = received()[0]!
  expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'record.created',
    record: { name: 'Fleet' },
  })
  expect(headers['x-team']).toBe('crm team')
  await detail(page).getByText('"name": "Fleet"').waitFor()
  await detail(page).getByText('"ok": true').waitFor()
  expect(await detail(page).innerText()).not.toContain('crm team')
  await expectUsable(page)

  answer(500)
  await create(api, 'deals', { name: 'Fleet 2', amount: '5000' })
  await log(page).filter({ hasText: 'Fleet 2' }).getByText('500').waitFor()
  await log(page).filter({ hasText: 'Fleet 2' }).getByRole('link').focus()
  await page.keyboard.press('Enter')
  await detail(page).getByText('The database is down').waitFor()
  await detail(page).getByText('Next attempt').waitFor()
  answer(204)
  await detail(page).getByRole('button', { name: 'Resend' }).click()
  await page.getByText('The event is sent again').waitFor()
  await detail(page)
    .getByText(/Attempt [123] · 204/)
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Failed', { exact: true }).click()
  await page.getByText('No deliveries match').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()

  await page.getByRole('button', { name: 'Send test event' }).click()
  await dialog(page).getByRole('combobox', { name: 'Record' }).fill('Small')
  await page.getByRole('option', { name: 'Small' }).click()
  await expectUsable(page)
  await dialog(page).getByRole('button', { name: 'Send test event' }).click()
  await detail(page).getByText('Test', { exact: true }).waitFor()
  await soon(async () => expect(received().at(-1)!.payload).toMatchObject({ test: true, record: { name: 'Small' } }))

  await page.getByRole('tab', { name: 'Signatures' }).click()
  await page.getByText('webhook-timestamp').first().waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await dialog(page).getByRole('button', { name: 'Rotate secret' }).click()
  const next = await dialog(page).locator('code').innerText()
  expect(next).not.toBe(secret)
  await dialog(page).getByRole('button', { name: 'Copy secret' }).click()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await page.getByText(/with the previous one as well/).waitFor()
  await create(api, 'deals', { name: 'Fleet 3', amount: '5000' })
  await soon(async () => expect(received().at(-1)!.body).toContain('Fleet 3'))
  for (const one of [secret, next])
    new Verifier(one).verify(received().at(-1)!.body, received().at(-1)!.headers as Record<string, string>)

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('Description').fill('Warehouse')
  await page.getByRole('button', { name: 'Save webhook' }).click()
  await page.getByRole('heading', { name: 'Warehouse' }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('This webhook is paused.').waitFor()
  await page.getByRole('button', { name: 'Actions for this webhook' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  // The page may ask for it once more before it leaves.
  expectComplaint(/404/)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhooks yet').waitFor()
  expect((await api.listWebhooks({})).items).toEqual([])
})
