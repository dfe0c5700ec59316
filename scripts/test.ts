// Runs all checks: format, lint, import rules, types, secrets and tests.
// With arguments (`npm test -- sessions`), runs only the matching tests.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const bin = (name: string) => join('node_modules', '.bin', name)
const only = process.argv.slice(2)

function run(title: string, args: string[], env = process.env): Promise<boolean> {
  const began = Date.now()
  const child = spawn(process.execPath, args, {
    stdio: title === 'tests' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text))
  return new Promise((resolve) =>
    child.on('close', (code) => {
      console.log(`  ${code === 0 ? 'ok    ' : 'FAILED'} ${title} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
      if (code !== 0) console.log(output)
      resolve(code === 0)
    }),
  )
}

const checks = only.length
  ? []
  : await Promise.all([
      run('format, lint, import rules', [bin('biome'), 'check', '--error-on-warnings']),
      run('rooms', ['scripts/rooms.ts']),
      run('types', [bin('tsc'), '-p', '.']),
      run('no secrets in the tree', [bin('secretlint'), '**/*']),
    ])
const tests =
  checks.every(Boolean) && (await run('tests', [bin('vitest'), 'run', ...only], { ...process.env, TZ: 'UTC' }))
process.exit(tests ? 0 : 1)
