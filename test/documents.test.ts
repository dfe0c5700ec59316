import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']

test.each(documents)('every file that %s names or links to exists', (document) => {
  const text = readFileSync(document, 'utf8')
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1]!)
  const names = [...text.matchAll(/`((?:contract|server|web|test|scripts|docs|db|bench)\/[\w./-]*)`/g)].map(
    (match) => match[1]!,
  )
  expect(links.length).toBeGreaterThan(0)
  for (const path of [...links, ...names]) expect(existsSync(path), path).toBe(true)
})

test('the license is the Apache License 2.0, everywhere', () => {
  expect(readFileSync('LICENSE', 'utf8')).toMatch(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/)
  expect(JSON.parse(readFileSync('package.json', 'utf8')).license).toBe('Apache-2.0')
  expect(readFileSync('README.md', 'utf8')).toContain('[Apache License 2.0](LICENSE)')
})
