// The rooms of the server, from the ground up. A file imports from its own room and from rooms above it in this list,
// so that no two rooms can depend on each other. `npm test` checks this; with --figures it also prints what is where.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const rooms = [
  'platform', // what a process needs: settings, PostgreSQL, log, vault
  'kernel', // what a call needs: run, context, notes, outbox, jobs
  'requests',
  'audit',
  'pictures',
  'mail',
  'accounts/roles',
  'accounts/users',
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
  'company',
  'accounts/sessions',
  'accounts/links',
  'accounts/members',
  'accounts/set-up',
  'accounts/two-factor',
  'accounts/passkeys',
  'accounts/keys',
  'accounts/sign-in',
  'notifications',
  'demo',
  'transports',
  'transports/mcp',
  '', // app.ts, operations.ts, jobs.ts, start.ts: they see everything
  'backup',
  'doctor',
  'commands',
]
/** Ways in know how to call an operation, and none of them. */
const transportsKnow = ['platform', 'kernel', 'transports', 'transports/mcp']

const server = join(import.meta.dirname, '..', 'server')
const files = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(server, file), 'utf8') }))

const broken = files.flatMap(({ file, text }) =>
  [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].flatMap(([, path]) =>
    faultOf(file, join(dirname(file), path!)),
  ),
)

function faultOf(file: string, imported: string) {
  const [here, there] = [roomOf(file), roomOf(imported)]
  if (imported.startsWith('..') || here === there) return []
  for (const room of [here, there]) if (!rooms.includes(room)) return [`server/${room} is not among the rooms`]
  if (rooms.indexOf(there) > rooms.indexOf(here)) return [`server/${file} imports ${imported}, which is built on it`]
  if (here.startsWith('transports') && !transportsKnow.includes(there))
    return [`server/${file} imports ${imported}: a transport knows no feature`]
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
  console.log(`broken rules: ${broken.length}`)
}

function spread(lengths: number[]) {
  const sorted = lengths.toSorted((a, b) => a - b)
  const at = (part: number) => String(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
  return `median ${at(0.5).padStart(3)}  p90 ${at(0.9).padStart(3)}  longest ${at(1).padStart(3)}`
}
