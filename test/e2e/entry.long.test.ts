// Covers: web/screens/entry server/accounts
import { test } from 'vitest'
import { testWeb } from '../browser.ts'

const { kith, visit, expectComplaint } = await testWeb({ own: true })

test('after too many wrong passwords the page says how long to wait', async () => {
  const { email } = await kith.given.company()
  const page = await visit('/sign-in')
  expectComplaint(/401|429/)
  for (let i = 0; i < 6; i++) {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(`wrong ${i}`)
    const answered = page.waitForResponse('**/app/api/session')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await answered
  }
  await page.getByText(/15 minutes/).waitFor()
})
