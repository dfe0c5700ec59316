import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingNames } from '../server/platform/config.ts'

const read = (file: string) => readFileSync(file, 'utf8')

test.each([
  ['Dockerfile', /^ENV (.*)$/gm],
  ['deploy/kith.service', /^Environment=(.*)$/gm],
  ['deploy/kith@.service', /^Environment=(.*)$/gm],
  ['deploy/compose.several.yaml', /^x-settings: &settings\n((?: {2}.*\n)+)/gm],
])('%s sets only what Kith reads', (file, lines) => {
  const texts = [...read(file).matchAll(lines)].map(([, text]) => text!)
  const names = texts.flatMap((text) => [...text.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)[=:]/g)].map(([, name]) => name!))
  expect(names.length).toBeGreaterThan(1)
  for (const name of names) expect(settingNames).toContain(name.replace(/_FILE$/, ''))
})

test('no path of the machine where an image is built gets into it', () => {
  const left = read('.dockerignore').split('\n')
  for (const name of ['.git', '.env', 'data', 'node_modules', 'dist']) expect(left).toContain(name)
})
