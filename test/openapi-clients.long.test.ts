// Covers: docs/openapi.json server/transports/openapi contract/filter/json.ts test/openapi-clients
// Clients that others generate from our OpenAPI document: they compile, and do what programs usually do.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from './app.ts'
import { calls, heyApi, openapiFetch } from './openapi-clients/calls.ts'
import { ownPackages } from './own-packages.ts'
import { waitForProcesses } from './patience.ts'
import { onTheWire } from './wire.ts'

waitForProcesses()

const kith = await testApp()
const { origin } = await onTheWire(kith)
const KITH_KEY = await kith.given.key(await kith.given.company({ name: 'Acme' }))
// The generators need a compiler that can be used as a library, which TypeScript 7 is not yet.
const { folder, run, inPackage } = await ownPackages('test/openapi-clients')

const document = resolve('docs/openapi.json')
const generators: Record<string, { program: string; args: string[] }> = {
  'openapi-typescript': {
    program: openapiFetch,
    args: [
      inPackage('openapi-typescript/bin/cli.js'),
      document,
      '--output',
      'schema.ts',
      '--default-non-nullable',
      'false',
    ],
  },
  '@hey-api/openapi-ts': {
    program: heyApi,
    args: [inPackage('@hey-api/openapi-ts/bin/run.js'), '--input', document, '--output', 'hey-api', '--silent'],
  },
}

test.each(Object.entries(generators))('a client of %s compiles and works', async (name, { program, args }) => {
  const cwd = join(folder, name.replaceAll(/\W/g, '-'))
  mkdirSync(cwd)
  await run(process.execPath, args, { cwd })
  writeFileSync(join(cwd, 'calls.ts'), program)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ type: 'commonjs' }))
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    module: 'commonjs',
    moduleResolution: 'node10',
    skipLibCheck: true,
    rootDir: '.',
    outDir: 'out',
  }
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['calls.ts'] }))
  await run(process.execPath, [inPackage('typescript/bin/tsc'), '-p', '.'], { cwd })
  const { stdout } = await run(process.execPath, ['out/calls.js'], { cwd, env: { KITH_URL: origin, KITH_KEY } })
  expect(stdout.trim().split('\n')).toEqual(Object.keys(calls))
})
