import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { pageScripts } from '../bench/web-script.ts'

test.each(pageScripts())('the script of the $page page stays within its budget', ({ size, most }) => {
  expect(size).toBeLessThan(most)
})

test('all charts together are at most 30 kB, with the packages that only they use', async () => {
  const folder = resolve('web/ui/charts')
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: globSync(join(folder, '*.tsx')), formats: ['es'] },
      rolldownOptions: {
        external: (id, importer) =>
          !/^(d3-|internmap)/.test(id) &&
          id[0] !== '/' &&
          !resolve(importer ?? folder, '..', id).startsWith(folder) &&
          !/d3-|internmap/.test(importer ?? ''),
      },
    },
  })) as Rolldown.RolldownOutput[]
  const files = built.flatMap(({ output }) => output)
  const code = files.map((file) => (file.type === 'chunk' ? file.code : String(file.source))).join('\n')
  expect(code).toContain('bandwidth')
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(30_000)
})
