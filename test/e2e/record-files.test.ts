// Covers: web/records/files web/screens/record/files web/ui/form/uploads.tsx
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { create, dialog, part, undo } from './record-page.ts'

const { at, ada, visit } = await testWeb()

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** One page, with a script that would open a dialog. */
const pdf = Buffer.from(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>> endobj
trailer <</Root 1 0 R>>
%%EOF`)
const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

test('files are dropped on a record, shown in the page, and removed with an undo; nothing in them runs', async () => {
  const { page, api } = await at('/dashboard')
  const { id } = await create(api, 'people', { last_name: 'Lovelace' })
  const alerts: string[] = []
  page.on('dialog', (one) => {
    alerts.push(one.message())
    void one.dismiss()
  })
  await page.goto(`/records/people/${id}`)
  const files = part(page, 'Files')
  await files.getByText('Drop files here, or paste them.').waitFor()
  await files.getByLabel('Add to Files').setInputFiles([
    { name: 'photo.png', mimeType: 'image/png', buffer: pixel },
    { name: 'offer.pdf', mimeType: 'application/pdf', buffer: pdf },
    { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(script) },
    { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from(script) },
    { name: 'program.exe', mimeType: 'application/octet-stream', buffer: Buffer.from([77, 90, 0, 1]) },
  ])
  await files.getByRole('link', { name: 'program.exe' }).waitFor()
  await expectUsable(page)

  await files.getByRole('button', { name: /^photo.png/ }).click()
  await dialog(page).getByRole('img', { name: 'photo.png' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await dialog(page).getByRole('img', { name: 'offer.pdf, 1 page' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await dialog(page).getByText(script).waitFor()
  await expectUsable(page)
  await page.keyboard.press('Escape')

  await files.getByRole('button', { name: 'Remove drawing.svg' }).click()
  await files.getByRole('button', { name: /^drawing.svg/ }).waitFor({ state: 'detached' })
  await part(page, 'Timeline').getByText('Removed drawing.svg').waitFor()
  await page.keyboard.press('Control+z')
  await files.getByRole('button', { name: 'Remove drawing.svg' }).waitFor()
  expect(alerts).toEqual([])
})

test('a note brings its files along, and a phone shows them', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { last_name: 'Lovelace' })
  const page = await visit(`/records/people/${id}`, { token, viewport: phone, hasTouch: true })
  await page.getByRole('button', { name: 'Write a note' }).click()
  await page.getByRole('textbox', { name: 'New note' }).fill('The signed offer')
  await page
    .getByLabel('Files of the note')
    .first()
    .setInputFiles([{ name: 'signed.txt', mimeType: 'text/plain', buffer: Buffer.from('signed') }])
  await page.getByRole('button', { name: 'Remove signed.txt' }).waitFor()
  await page.getByRole('button', { name: 'Save note' }).click()
  await undo(page).waitFor()
  await page.getByRole('button', { name: 'signed.txt' }).click()
  await dialog(page).getByText('signed', { exact: true }).waitFor()
  const { records } = await api.queryRecords({ object: 'notes' })
  expect(records).toMatchObject([{ body: 'The signed offer', files: [{ name: 'signed.txt', size: 6 }] }])
})
