// The folders ("rooms") of the server, lowest layer first. A file may import only from its own room and from rooms
// earlier in this list, so no two rooms depend on each other. `npm test` checks this; --figures prints statistics.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const rooms = [
  'platform', // needed by every process: settings, PostgreSQL, log, vault
  'kernel', // needed by every call: run, context, notes, outbox, jobs
  'requests',
  'audit',
  'files',
  'pictures',
  'mail',
  'accounts/roles',
  'accounts/users',
  'jobs',
  'engine/schema',
  'engine/rights',
  'engine/values',
  'engine/names',
  'engine/read',
  'engine/write',
  'engine/history',
  'engine/search',
  'engine/views',
  'engine/objects',
  'engine/records',
  'engine/csv',
  'company',
  'accounts/credentials',
  'accounts/sessions',
  'accounts/links',
  'accounts/members',
  'accounts/set-up',
  'accounts/two-factor',
  'accounts/passkeys',
  'accounts/api-keys',
  'accounts/sign-in',
  'notifications',
  'demo',
  'transports',
  'transports/mcp',
  '', // app.ts, operations.ts, jobs.ts, start.ts: they connect all features
  'backup',
  'doctor',
  'commands',
]
/** Transports call operations by name and must not import any feature. */
const transportsKnow = ['platform', 'kernel', 'transports', 'transports/mcp']

const server = join(import.meta.dirname, '..', 'server')
const files = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(server, file), 'utf8') }))

const broken = files.flatMap(({ file, text }) =>
  [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].flatMap(([, path]) =>
    errorsOf(file, join(dirname(file), path!)),
  ),
)

function errorsOf(file: string, imported: string) {
  const [here, there] = [roomOf(file), roomOf(imported)]
  if (imported.startsWith('..') || here === there) return []
  for (const room of [here, there])
    if (!rooms.includes(room)) return [`server/${room} is not listed in scripts/rooms.ts. Add it.`]
  if (rooms.indexOf(there) > rooms.indexOf(here))
    return [`server/${file} imports ${imported}, which is in a higher room. See the order in scripts/rooms.ts.`]
  if (here.startsWith('transports') && !transportsKnow.includes(there))
    return [`server/${file} imports ${imported}, but a transport must not import a feature.`]
  return []
}

function roomOf(file: string) {
  const room = dirname(file)
  return room === '.' ? '' : room
}

if (process.argv.includes('--figures')) printFigures()
for (const line of broken) console.error(line)
process.exitCode = broken.length ? 1 : 0

function printFigures() {
  for (const room of rooms) {
    const lengths = files.filter(({ file }) => roomOf(file) === room).map(({ text }) => text.split('\n').length)
    console.log(`${(`server/${room}`).padEnd(28)} ${String(lengths.length).padStart(3)} files ${spread(lengths)}`)
  }
  const all = files.map(({ text }) => text.split('\n').length)
  console.log(`${'all of server/'.padEnd(28)} ${String(all.length).padStart(3)} files ${spread(all)}`)
  console.log(`import errors: ${broken.length}`)
}

function spread(lengths: number[]) {
  const sorted = lengths.toSorted((a, b) => a - b)
  const at = (part: number) => String(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
  return `median ${at(0.5).padStart(3)}  p90 ${at(0.9).padStart(3)}  longest ${at(1).padStart(3)}`
}
