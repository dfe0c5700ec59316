// `npm run bench -- start http` runs these benchmarks, each in its own process. Without names it lists them.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const known = readdirSync(import.meta.dirname)
  .filter(
    (file) =>
      file.endsWith('.ts') &&
      !/^(run|harness|load|serve.*|mcp-tools|records-.*|web-.*|agent-tasks-.*|bystander-.*|dashboard-.*|backup-once)\.ts$/.test(
        file,
      ),
  )
  .map((file) => file.slice(0, -3))
const wanted = process.argv.slice(2)
if (!wanted.length || wanted.some((name) => !known.includes(name))) {
  console.log(`Name one or more of: ${known.join(', ')}`)
  process.exit(1)
}
for (const name of wanted) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
