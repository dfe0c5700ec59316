// One authenticated REST call, compared with bare node:http that runs the same key query and returns the same bytes.
import { join } from 'node:path'
import { compare } from './harness.ts'
import { benchDatabase, serve } from './serve.ts'

const { connection, key, stop } = await benchDatabase()
const here = (file: string) => join(import.meta.dirname, file)
const headers = { 'x-api-key': key }
const path = '/api/v1/me'
const ours = await serve(here('serve-kith.ts'), JSON.stringify(connection))
const answer = await (await fetch(`http://localhost:${ours.port}${path}`, { headers })).text()
const ceiling = await serve(here('serve-ceiling.ts'), JSON.stringify(connection), answer)
await compare(
  `GET ${path}`,
  { ours: { port: ours.port, path, headers }, ceiling: { port: ceiling.port, path, headers } },
  { bar: 0.6 },
)
console.log(`  memory   ours ${megabytes(await ours.rss())}, ceiling ${megabytes(await ceiling.rss())}`)
ours.stop()
ceiling.stop()
await stop()

function megabytes(bytes: number) {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`
}
