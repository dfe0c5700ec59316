import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { pageScripts, scriptsOf } from '../bench/web-script.ts'

test.each(pageScripts())('the script of the $page page stays within its budget', ({ size, most }) => {
  expect(size).toBeLessThan(most)
})

test('the API page adds at most 40 kB to the frame', () => {
  const manifest = JSON.parse(readFileSync('dist/web/.vite/manifest.json', 'utf8')) as Record<string, { name?: string }>
  const api = pageScripts().find(({ page }) => page === 'api')!
  expect(Object.values(manifest).map(({ name }) => name)).toContain('api-page')
  expect(api.size - scriptsOf(['frame']).size).toBeLessThan(40_000)
})

test('all charts together are at most 30 kB, with their styles and the packages that only they use', async () => {
  const folder = resolve('web/ui/charts')
  const isOurs = (id: string, importer = '') =>
    /d3-|internmap/.test(id + importer) || resolve(importer, '..', id).startsWith(folder)
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      rolldownOptions: {
        input: globSync(`${folder}/*.tsx`),
        external: (id, importer) => !isOurs(id, importer),
        preserveEntrySignatures: 'strict',
      },
    },
  })) as Rolldown.RolldownOutput
  const code = built.output.map((file) => (file.type === 'chunk' ? file.code : String(file.source))).join('\n')
  expect(code).toContain('bandwidth')
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(30_000)
})
