import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const documents = ['ARCHITECTURE.md', ...globSync('docs/architecture/*.md')]

test.each(documents)('every path that %s names or links to exists', (document) => {
  const text = readFileSync(document, 'utf8')
  // From the root of the repository: `server/inbox/` or `server/app.ts`. A source file without its folder is not found.
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+(?:[\w.-]+\.\w+)?|[\w.-]+\.(?:ts|tsx|js|mjs))`/g)]
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
  const paths = [...named.map(([, path]) => path!), ...linked.map(([, path]) => join(dirname(document), path!))]
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})
