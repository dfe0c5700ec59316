import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testApp } from './app.ts'

const kith = await testApp()

test('the licenses of everything in the web app are served with it', async () => {
  const answer = await kith.send('/third-party-notices.txt')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; charset=utf-8/i)
  const text = await answer.text()
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const name of ['react', '@mantine/core', '@codemirror/view', '@fontsource-variable/inter', 'zod'])
    expect(text).toContain(`## ${name} - ${dependencies[name]} (`)
  // Packages that only other packages ask for, and the text of each kind of license.
  for (const part of [
    '## scheduler - ',
    '## prosemirror-model - ',
    'SIL OPEN FONT LICENSE',
    'Permission is hereby granted',
  ])
    expect(text).toContain(part)
})

test('no package in the web app is without a license', () => {
  const text = readFileSync('dist/web/third-party-notices.txt', 'utf8')
  const headings = text.match(/^## \S+ - \d.*$/gm)!
  expect(headings.length).toBeGreaterThan(80)
  for (const heading of headings) expect(heading).toMatch(/ \([\w.-]+\)$/)
})
