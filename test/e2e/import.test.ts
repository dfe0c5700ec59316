import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'
import { button, choose, csv } from './import-page.ts'
import { dialog } from './record-page.ts'
import { screens } from './screens.ts'

const { kith, ada, visit } = await testWeb({ own: true })
await testWorker(kith)

const contacts = [
  'Vorname;Nachname;E-mail;Company;Score;Birthday',
  'Grace;Hopper;grace@example.com;Navy;12,5;09.12.1906',
  'Alan;Turing;alan@example.com;Bletchley;7;23.06.1912',
  'Kurt;Gödel;not an address;IAS;3;28.04.1906',
].join('\n')

test.each(
  screens([
    ['a desktop', desktop, 'light'],
    ['a phone', phone, 'dark'],
  ] as const),
)(
  'a file is imported step by step on %s, failed rows are handed back, and all of it is undone',
  async (_, viewport, colorScheme) => {
    const { token, api } = await ada()
    const page = await visit('/records/people', { token, viewport, colorScheme })
    await page.getByRole('link', { name: 'Import a file' }).click()
    await page.getByRole('heading', { level: 1, name: 'Import people' }).waitFor()
    await expectUsable(page)
    await page.locator('input[type=file]').setInputFiles(csv(contacts))
    await page.getByRole('heading', { name: 'Columns' }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Delimiter' }).inputValue()).toBe('Semicolon')
    await choose(page, 'Vorname', 'First name')
    await choose(page, 'Nachname', 'Last name')
    await choose(page, 'Company', 'Organization')
    await expectUsable(page)
    await button(page, 'Continue').click()
    await page.getByRole('radio', { name: 'Create and update' }).check()
    expect(await page.getByRole('combobox', { name: 'Find existing records by' }).inputValue()).toBe('Emails')
    await page.getByRole('combobox', { name: 'If a value cannot be read' }).click()
    await page.getByRole('option', { name: 'Skip the row' }).click()
    await expectUsable(page)
    await button(page, 'Check the file').click()
    await page.getByRole('heading', { name: 'Check result' }).waitFor()
    await page.getByText('Would also create: 2 organizations').waitFor()
    await page.getByText('Line 4').waitFor()
    await expectUsable(page)
    expect((await api.countRecords({ object: 'people' })).count, 'only checked so far').toBe(0)
    await button(page, 'Import 2 people').click()
    await page.getByRole('heading', { name: 'Imported 2 people' }).waitFor()
    await expectUsable(page)
    const { records } = await api.listRecords({ object: 'people', sort: ['first_name'] })
    expect(records).toMatchObject([
      { first_name: 'Alan', score: 7, birthday: '1912-06-23', organization: { title: 'Bletchley' } },
      { first_name: 'Grace', score: 12.5, birthday: '1906-12-09', organization: { title: 'Navy' } },
    ])
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download failed rows' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain('Kurt;Gödel;not an address')
    await button(page, /^Undo/).click()
    await dialog(page).getByText('4 records that it created move to the trash.').waitFor()
    await dialog(page).getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Imported 2 people, then undone' }).waitFor()
    expect((await api.countRecords({ object: 'people' })).count).toBe(0)
  },
)
