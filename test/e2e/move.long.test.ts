import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'
import { button, csv } from './import-page.ts'
import { dialog } from './record-page.ts'
import { screens } from './screens.ts'

const { kith, ada, visit } = await testWeb({ own: true })
await testWorker(kith)

const files = [
  csv(
    `Deal - ID,Deal - Title,Deal - Organization,Deal - Organization ID,Deal - Contact person,Deal - Contact person ID,Deal - Value,Deal - Currency of Value,Deal - Stage,Deal - Owner
900,Rollout,Acme,70,Grace Hopper,11,1000,CHF,Demo given,Bob Former
901,Pilot,Acme,71,Grace Hopper,11,500,EUR,Proposal,Bob Former`,
    'deals.csv',
  ),
  csv(
    `Person - ID,Person - Name,Person - Email - Work,Person - Organization,Person - Organization ID,Person - Owner
11,Grace Hopper,grace@acme.example,Acme,70,Bob Former
12,Alan Turing,not an address,Acme,71,
13,Kurt Gödel,kurt@acme.example,Acme,71,ada.l@old.example`,
    'people.csv',
  ),
  csv('Organization - ID,Organization - Name,Organization - Fax\n70,Acme,1\n71,Acme,2', 'organizations.csv'),
  csv('Pressure,Humidity\n1013,80', 'weather.csv'),
]

test.each(
  screens([
    ['a desktop', desktop, 'light'],
    ['a phone', phone, 'dark'],
  ] as const),
)('all files of another CRM are moved in together on %s, and out again', async (_, viewport, colorScheme) => {
  const { token, api } = await ada()
  const page = await visit('/dashboard', { token, viewport, colorScheme })
  await page.getByRole('link', { name: /Bring your data/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Move to Kith' }).waitFor()
  await expectUsable(page)
  await page.locator('input[type=file]').setInputFiles(files)
  await page.getByRole('list', { name: 'Files' }).getByText('weather.csv').waitFor()
  await expectUsable(page)
  await button(page, 'Continue').click()

  await page.getByRole('heading', { name: 'Plan' }).waitFor()
  await page.getByText('These files come from Pipedrive').waitFor()
  const becomes = (name: string) => page.getByRole('combobox', { name: `What ${name} becomes` })
  expect(await becomes('organizations.csv').inputValue()).toBe('Organizations')
  expect(await becomes('weather.csv').inputValue()).toBe('')
  const names = await page.getByRole('table', { name: 'Files' }).locator('bdi').allInnerTexts()
  expect(names).toEqual(['organizations.csv', 'people.csv', 'deals.csv', 'weather.csv'])
  await page.getByText(/Left out: .*Organization - Fax/).waitFor()
  await expectUsable(page)
  await button(page, 'Keep the IDs').click()
  await page.getByText('Pipedrive ID added').waitFor()
  await button(page, 'Columns of deals.csv').click()
  const idField = page.getByRole('combobox', { name: 'Field for Deal - ID' })
  await expect.poll(() => idField.inputValue()).toBe('Pipedrive ID')
  await expectUsable(page)
  await button(page, 'Continue').click()
  await page.getByRole('radio', { name: 'Create and update' }).waitFor()
  await button(page, 'Back to the plan').click()
  await button(page, 'Check the move').click()

  await page.getByRole('heading', { name: 'Check result' }).waitFor()
  const problems = page.getByRole('region', { name: 'Problems' })
  await problems.getByRole('listitem').filter({ hasText: 'people.csv' }).getByText('Line 3').waitFor()
  await expectUsable(page)
  expect((await api.countRecords({ object: 'organizations' })).count, 'only checked so far').toBe(0)
  const unknown = page.getByRole('region', { name: 'Not in Kith yet' })
  await unknown.getByRole('link', { name: 'Invite them' }).waitFor()
  await unknown.getByRole('group', { name: 'Users' }).getByRole('combobox', { name: 'Bob Former' }).click()
  await page.getByRole('option', { name: /Ada/ }).click()
  await unknown.getByRole('button', { name: 'It’s Ada Lovelace' }).click()
  await unknown.getByRole('button', { name: 'Add this stage to Sales' }).click()
  await page.getByText('Stages added to Sales').waitFor()
  await button(page, 'Check again').click()
  await page.getByRole('heading', { name: 'Check result' }).waitFor()
  await expect.poll(() => unknown.getByRole('group', { name: 'deals.csv: Deal - Stage' }).count()).toBe(0)
  await button(page, 'Move 7 records').click()

  await page.getByRole('heading', { name: '7 records moved' }).waitFor()
  await expectUsable(page)
  const { records } = await api.listRecords({ object: 'deals', sort: ['name'] })
  expect(records).toMatchObject([
    { name: 'Pilot', organization: { title: 'Acme' }, people: [{ title: 'Grace Hopper' }] },
    { name: 'Rollout', amount: { amount: '1000', currency: 'CHF' }, stage: 'demo_given' },
  ])
  await page.getByRole('link', { name: 'Download the failed rows of people.csv' }).waitFor()
  await button(page, /^Undo/).click()
  await dialog(page).getByText('records that it created move to the trash.').waitFor()
  await dialog(page).getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: '7 records moved, then undone' }).waitFor()
  expect((await api.countRecords({ object: 'deals' })).count).toBe(0)
  await page.goto('/move')
  await page.getByRole('heading', { name: 'Your files' }).waitFor()
  expect(await page.getByRole('list', { name: 'Files' }).count(), 'the files that were moved').toBe(0)
})

const salesforce = {
  tasks: csv(
    `Id,IsDeleted,Subject,Status,OwnerId,SystemModstamp
00T8d00000AbCd1,false,Call back,Open,0058d000004XyZ1,2024-01-20T09:30:00.000Z`,
    'Task.csv',
  ),
  users: csv(
    `Id,Username,LastName,Email,ProfileId,IsActive
0058d000004XyZ1,karla,Klein,karla@example.com,00e1,true`,
    'User.csv',
  ),
}

test('the plan warns about a file of the wrong kind, and asks for the users of Salesforce', async () => {
  const { token } = await ada()
  const page = await visit('/move', { token })
  await page.locator('input[type=file]').setInputFiles([salesforce.tasks])
  await button(page, 'Continue').click()
  await page.getByText('name owners by ID').waitFor()
  await page.getByText('0058d000004XyZ1').waitFor()
  await expectUsable(page)
  const becomes = page.getByRole('combobox', { name: 'What Task.csv becomes' })
  expect(await becomes.inputValue()).toBe('Tasks')
  await becomes.click()
  await page.keyboard.type('Notes')
  await page.getByRole('option', { name: 'Notes' }).click()
  await page.getByText('No column goes into Body, which new notes need. Are these really notes?').waitFor()
  await expectUsable(page)
  await button(page, 'Add a file').click()
  await page.locator('input[type=file]').setInputFiles([salesforce.users])
  await button(page, 'Continue').click()
  await page.getByText('A list of users.').waitFor()
  expect(await page.getByText('name owners by ID').count()).toBe(0)
})
