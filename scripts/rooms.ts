// The folders ("rooms") of the server and of the web app, lowest layer first. A file may import only from its own room
// and from rooms earlier in the list, so no two rooms depend on each other, screens import no other screen, and the
// folders of a screen do not depend on each other in a circle. `npm test` checks this; --figures prints statistics.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const serverRooms = [
  'platform', // needed by every process: settings, PostgreSQL, log, vault
  'kernel', // needed by every call: run, context, notes, outbox, jobs
  'metrics',
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
  'engine/files', // which files the values of records have
  'engine/duplicates', // whether two records are the same
  'engine/search',
  'engine/read',
  'engine/aggregates',
  'engine/subscriptions',
  'engine/built-in/tasks', // what the built-in objects add to writes of records
  'engine/built-in/activities',
  'engine/built-in/notes',
  'engine/built-in/deals',
  'engine/built-in/leads',
  'engine/built-in/people',
  'engine/built-in',
  'engine/write',
  'engine/history/undo',
  'engine/history',
  'engine/views',
  'engine/objects',
  'engine/records',
  'engine/record-files', // files that come with a call, by a link or from a message
  'engine/pipelines',
  'engine/deals',
  'inbox/content', // what a message says: HTML, quotes, plain text; cells of tables may have HTML, too
  'engine/tables', // files of other kinds than CSV, as rows
  'engine/cells', // what a cell of a table means, and how a value is written into one
  'engine/csv/known-exports', // what other products export
  'engine/csv',
  'engine/exports',
  'engine/moves',
  'company',
  'working-hours', // of the company and its channels, and the time that passes during them
  'accounts/credentials',
  'accounts/sessions',
  'accounts/links',
  'accounts/members',
  'accounts/set-up',
  'accounts/two-factor',
  'accounts/passkeys',
  'accounts/api-keys',
  'accounts/sign-in',
  'dashboards',
  'engine/subscriptions/deliver',
  'notifications',
  'webhooks',
  'channels/email/mime',
  'website', // what forms and chats on websites share: tokens, puzzle, public IDs
  'leads',
  'leads/forms',
  'lead-routing',
  'inbox/access', // who may see which conversation
  'inbox/channels',
  'inbox/thread', // a conversation and its messages: rows, participants, links, counters, state, waiting time
  'inbox/people', // records of the people who write, and whether they want to be written to
  'inbox/sending',
  'inbox/receiving',
  'inbox/body',
  'inbox/proposals',
  'inbox/writing', // what people and agents do to send: messages, drafts, templates
  'inbox/triage', // what they do with conversations
  'inbox', // its operations and jobs
  'inbox/targets',
  'inbox/rules',
  'channels/email',
  'channels/gateway', // what the channels of other providers share
  'channels/api',
  'channels/telegram',
  'channels/twilio',
  'channels/whatsapp',
  'channels',
  'channels/chat',
  'demo',
  'transports',
  'transports/mcp',
  'transports/openapi',
  '', // app.ts, operations.ts, background-jobs.ts, start.ts: they connect all features
  'backup',
  'distribution', // over the machines of a cluster
  'company-move', // one company, to another installation
  'doctor',
  'commands/company',
  'commands',
]
/** Every folder of the web app is a room, but for `screens`, where those of one screen belong together. */
const webRooms = [
  'embeds', // scripts for websites, which the server serves as they are
  'client', // needed by every page: the API, the session, the connection
  // What is about nothing in particular.
  'ui/theme',
  'ui/text', // moments, numbers, days
  'ui/basics', // pages, their states and notices
  'ui/form',
  'ui/page',
  'ui/charts',
  'account', // what people choose for themselves
  'users',
  'markdown', // text with formatting and mentions
  'keys',
  'webhooks',
  'records/data', // what the server knows of records, and its cache
  'records/files',
  'records/fields', // values as they are shown and edited
  'records/filter/values',
  'records/filter',
  'records/lists', // columns, rows and selection of lists
  'records/forms',
  'records/merge', // duplicates side by side
  'channels',
  'conversations', // what pages and the frame know of conversations
  'roles',
  'history',
  'jobs',
  'leads',
  'screens',
  'frame', // what surrounds every screen: navigation, palette, notifications
  '', // main.tsx, routes.tsx
]
/** Transports call operations by name and must not import any feature. */
const transportsKnow = ['platform', 'kernel', 'transports', 'transports/mcp', 'transports/openapi']
/** A folder with more files of code than this wants rooms of its own. Tests are not counted. */
const mostFiles = 40
/** What a listing of them is for. */
const mayBeLarge: Record<string, string> = {
  contract: 'it is the listing of the API',
}

export type File = { file: string; text: string; imports: string[] }

const root = join(import.meta.dirname, '..')

export function filesOf(tree: string): File[] {
  return codeOf(tree).map((file) => fileOf(file, readFileSync(join(root, tree, file), 'utf8')))
}

function codeOf(tree: string) {
  const files = readdirSync(join(root, tree), { recursive: true, encoding: 'utf8' })
  return files.filter((file) => /\.(tsx?|m?js)$/.test(file) && !/\.test\.tsx?$/.test(file))
}

export function fileOf(file: string, text: string): File {
  const paths = [...text.matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)]
    // A screen that is loaded when it is shown is no dependency.
    .filter(([all, path]) => !(all.startsWith('import(') && join(dirname(file), path!).startsWith('screens/')))
    .map(([, path]) => join(dirname(file), path!))
  return { file, text, imports: paths.filter((path) => !path.startsWith('..')) }
}

/** What is wrong with the server and the web app, a line each. */
export function faultsOf(server: File[], web: File[], rooms = { server: serverRooms, web: webRooms }) {
  return [
    ...repeated('server', rooms.server),
    ...repeated('web', rooms.web),
    ...server.flatMap((file) => file.imports.flatMap((imported) => serverErrors(file.file, imported))),
    ...web.flatMap((file) => file.imports.flatMap((imported) => webErrors(file.file, imported))),
    ...circles(web),
  ]
}

export function tooLarge(files: string[]) {
  const sizes = Object.entries(Object.groupBy(files, (file) => dirname(file)))
  return sizes.flatMap(([folder, { length } = []]) =>
    length! <= mostFiles || mayBeLarge[folder]
      ? []
      : [`${folder}/ has ${length} files of code, more than ${mostFiles}. Sort them into folders by noun.`],
  )
}

/** Every file directly in contract/ is a resource with its operations, but for these. */
const aboutAll = ['index.ts', 'operation.ts']

export const withoutOperations = (contract: Pick<File, 'file' | 'text'>[]) =>
  contract
    .filter(({ file, text }) => !file.includes('/') && !aboutAll.includes(file) && !/: operation\(\{/.test(text))
    .map(({ file }) => `contract/${file} defines no operation. Move it to a folder of contract/.`)

/** Folders of one screen that depend on each other, also by their styles: each is read only together with the others. */
function circles(web: File[]) {
  const needs = new Map<string, Set<string>>()
  for (const { file, imports } of web) {
    const others = imports.filter((other) => isScreen(file) && isScreen(other) && dirname(other) !== dirname(file))
    for (const other of others) needs.set(dirname(file), (needs.get(dirname(file)) ?? new Set()).add(dirname(other)))
  }
  const found = [...needs.keys()].map((folder) =>
    [...reached(folder, needs)].filter((one) => reached(one, needs).has(folder)),
  )
  return [...new Set(found.map((folders) => folders.toSorted().join(', ')))]
    .filter(Boolean)
    .map((folders) => `These folders of web/ depend on each other: ${folders}. Move what they share to one of its own.`)
}

function reached(folder: string, needs: Map<string, Set<string>>, found = new Set<string>()) {
  for (const other of needs.get(folder) ?? []) if (!found.has(other)) reached(other, needs, found.add(other))
  return found
}

const isScreen = (file: string) => file.startsWith('screens/')

function repeated(tree: string, rooms: string[]) {
  const twice = rooms.filter((room, index) => rooms.indexOf(room) !== index)
  return twice.map((room) => `${tree}/${room} is listed twice in scripts/rooms.ts. Remove one.`)
}

function serverErrors(file: string, imported: string) {
  const [here, there] = [folderOf(file), folderOf(imported)]
  if (here.startsWith('transports') && !transportsKnow.includes(there))
    return [`server/${file} imports ${imported}, but a transport must not import a feature.`]
  return orderErrors('server', serverRooms, { file, here }, { file: imported, here: there })
}

function webErrors(file: string, imported: string) {
  const [here, there] = [webRoomOf(file), webRoomOf(imported)]
  if (here === 'screens' && there === 'screens' && !mayUse(screenOf(file), screenOf(imported)))
    return [
      `web/${file} imports ${imported}, but a screen must not import another one. Move what they share to a lower room.`,
    ]
  return orderErrors('web', webRooms, { file, here }, { file: imported, here: there })
}

type Located = { file: string; here: string }

function orderErrors(tree: string, rooms: string[], from: Located, to: Located) {
  if (from.here === to.here) return []
  for (const room of [from.here, to.here])
    if (!rooms.includes(room)) return [`${tree}/${room} is not listed in scripts/rooms.ts. Add it.`]
  if (rooms.indexOf(to.here) < rooms.indexOf(from.here)) return []
  return [`${tree}/${from.file} imports ${to.file}, which is in a higher room. See the order in scripts/rooms.ts.`]
}

function folderOf(file: string) {
  const folder = dirname(file)
  return folder === '.' ? '' : folder
}

function webRoomOf(file: string) {
  return isScreen(file) ? 'screens' : folderOf(file)
}

function mayUse(screen: string, other: string) {
  return screen === other || screen.startsWith(`${other}/`)
}

/** Every folder of the settings is a screen of its own, which knows the files beside it. The same goes for the profile. */
function screenOf(file: string) {
  const [, area, page] = file.split('/')
  const isArea = (area === 'settings' || area === 'profile') && page && !page.includes('.')
  return isArea ? `${area}/${page}` : area!
}

if (import.meta.main) {
  const [server, web] = [filesOf('server'), filesOf('web')]
  if (process.argv.includes('--figures')) {
    printFigures('server', server, serverRooms, folderOf)
    printFigures('web', web, webRooms, webRoomOf)
  }
  const code = ['contract', 'scripts', 'server', 'web'].flatMap((tree) => codeOf(tree).map((file) => join(tree, file)))
  const faults = [...faultsOf(server, web), ...tooLarge(code), ...withoutOperations(filesOf('contract'))]
  for (const line of faults) console.error(line)
  process.exitCode = faults.length ? 1 : 0
}

function printFigures(tree: string, files: File[], rooms: string[], roomOf: (file: string) => string) {
  for (const room of rooms) {
    const lengths = files.filter(({ file }) => roomOf(file) === room).map(({ text }) => text.split('\n').length)
    console.log(`${(`${tree}/${room}`).padEnd(28)} ${String(lengths.length).padStart(3)} files ${spread(lengths)}`)
  }
  const all = files.map(({ text }) => text.split('\n').length)
  console.log(`${(`all of ${tree}/`).padEnd(28)} ${String(all.length).padStart(3)} files ${spread(all)}`)
}

function spread(lengths: number[]) {
  const sorted = lengths.toSorted((a, b) => a - b)
  const at = (part: number) => String(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
  return `median ${at(0.5).padStart(3)}  p90 ${at(0.9).padStart(3)}  longest ${at(1).padStart(3)}`
}
