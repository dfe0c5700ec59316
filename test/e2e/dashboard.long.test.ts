// Covers: web/screens/dashboard
// The dashboard: what to do first, every figure with its list, and dashboards of one's own.
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { picture, someWork } from './dashboard-page.ts'

const { ada, at, visit } = await testWeb()

test('a new company sees what to do first, and empty widgets say what appears there', async () => {
  const { page } = await at('/dashboard')
  const steps = page.getByRole('region', { name: 'Getting started' })
  await steps.getByRole('link', { name: /Invite your team/ }).waitFor()
  await page.getByText('No tasks are due today.').waitFor()
  await page.getByText(/^No open deals yet\. Create one/).waitFor()
  await expectUsable(page)
  await picture(page, 'empty')
})

test('widgets are downloaded as CSV, charts also as PNG, and a picture that cannot be made is reported', async () => {
  const { token, api } = await ada()
  await someWork(api)
  const page = await visit('/dashboard', { token })
  const choose = async (widget: string, item: string) => {
    await page.getByRole('button', { name: `Options for ${widget}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const saved = async (widget: string, item: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), choose(widget, item)])
    const content = Buffer.concat(await Array.fromAsync(await download.createReadStream()))
    return { name: download.suggestedFilename(), content }
  }
  const csv = await saved('Pipeline', 'Download CSV')
  expect(csv.name).toBe('Pipeline.csv')
  expect(csv.content.toString()).toMatch(/^\ufeffPipeline,Stage,Deals,Amount,Weighted\r\n[\s\S]*,Proposal,2,"€2,000",/)
  const png = await saved('Forecast', 'Download PNG')
  expect(png.name).toBe('Forecast.png')
  expect(png.content.subarray(1, 4).toString()).toBe('PNG')
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.toBlob = (done) => done(null)
  })
  await choose('Forecast', 'Download PNG')
  await page.getByText('The picture could not be created').waitFor()
})
