// Covers: web/records web/ui contract/shared/date-format.ts
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { isLong } from '../long.ts'
import { row } from './grid.ts'
import { goTo } from './navigate.ts'
import { create, edit, heading, read } from './record-page.ts'

const { ada, visit } = await testWeb()

/** Twelve and a half thousand, and the third of February, as people type and read them. */
const locales = [
  { language: 'de-DE', number: '12.500', amount: '12.500,50', day: '3.2.2027', shown: '12.500,50' },
  { language: 'fr-FR', number: '12 500', amount: '12 500,50', day: '3/2/2027', shown: /12\s500,50/ },
  { language: 'ar-EG', number: '١٢٬٥٠٠', amount: '١٢٬٥٠٠٫٥٠', day: '٣/٢/٢٠٢٧', shown: '١٢٬٥٠٠٫٥٠' },
  { language: 'hi-IN', number: '12,500', amount: '12,500.50', day: '3/2/2027', shown: '12,500.50' },
  { language: 'ja-JP', number: '１２，５００', amount: '12,500.50', day: '2027/2/3', shown: '12,500.50' },
] as const

test.for(isLong ? locales : locales.slice(0, 1))(
  'numbers, money, dates and times are read and shown as people write them in $language, in forms, cells and filters',
  async (locale) => {
    const { language, number, amount, day, shown } = locale
    const { token, api } = await ada()

    await api.updateMe({ language, time_zone: 'Asia/Tokyo' })
    const name = `Renewal ${language}`
    const { id } = await create(api, 'deals', { name, amount: { amount: '12.500', currency: 'EUR' } })
    const saved = () => read(api, 'deals', id)
    // Of the browser, which must not matter.
    const page = await visit(`/records/deals/${id}`, { token, locale: 'en-US', timezoneId: 'America/New_York' })
    await heading(page, name).waitFor()

    // Three decimals are not thousands, and changing the currency changes nothing else.
    await edit(page, 'Amount').click()
    await page.getByRole('combobox', { name: 'Currency of Amount' }).click()
    await page.getByRole('option', { name: 'USD' }).click()
    await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
    await expect.poll(async () => (await saved()).amount).toEqual({ amount: '12.500', currency: 'USD' })

    await edit(page, 'Amount').click()
    await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await saved()).amount).toEqual({ amount: '12500.50', currency: 'USD' })
    await page.getByText(shown).first().waitFor()

    await edit(page, 'Expected close').click()
    await page.getByRole('textbox', { name: 'Expected close' }).fill(day)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await saved()).expected_close).toBe('2027-02-03')

    const filter = 'amount >= 1 and expected_close > 2027-01-01'
    const columns = 'title,amount,expected_close,created_at'
    await goTo(page, `/records/deals?${new URLSearchParams({ filter, columns })}`)
    const cells = row(page, name).getByRole('gridcell')
    await cells.filter({ hasText: shown }).waitFor()
    // By the browser: Node.js may use other blanks.
    const written = (moment: unknown, manner: Intl.DateTimeFormatOptions) =>
      page.evaluate(
        ([language, moment, manner]) => {
          const own = new Intl.DateTimeFormat(language, manner)
          const { hourCycle } = own.resolvedOptions()
          const english = new Intl.DateTimeFormat('en-GB', { ...manner, ...(hourCycle && { hourCycle }) })
          // The words of the app are English; a date in digits has none.
          return (/\p{L}/u.test(own.format(0)) ? english : own).format(new Date(moment))
        },
        [language, String(moment), manner] as const,
      )
    await expect.poll(() => cells.nth(3).textContent()).toBe(await written('2027-02-03', ofDay))
    await expect.poll(() => cells.nth(4).textContent()).toBe(await written((await saved()).created_at, inTokyo))
    // Chosen in another tab; this one learns of it when someone comes back to it.
    await api.updateMe({ language: 'en-US' })
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await cells.filter({ hasText: '12,500.50' }).waitFor()
    await api.updateMe({ language })
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await cells.filter({ hasText: shown }).waitFor()
    await page.getByRole('button', { name: 'Amount is at least 1', exact: true }).click()
    await page.getByLabel('Number for Amount').fill(number)
    const filterIn = () => new URL(page.url()).searchParams.get('filter')
    await expect.poll(filterIn).toBe('amount >= 12500 and expected_close > 2027-01-01')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Expected close is after/ }).click()
    await page.getByRole('textbox', { name: 'Day' }).fill(day)
    await expect.poll(filterIn).toBe('amount >= 12500 and expected_close > 2027-02-03')
  },
)

const ofDay = { dateStyle: 'medium', timeZone: 'UTC' } as const
const inTokyo = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const
