// Adds the company in a file to this installation and verifies it, all or nothing, in one transaction.
import { nameIn } from '../backup/catalog.ts'
import { damaged } from '../backup/damage.ts'
import { type OpenBackup, openBackup } from '../backup/open-backup.ts'
import { bringFiles, checkTables, copyRows, type RestoreOrder } from '../backup/restore.ts'
import { openSession, type Session } from '../backup/session.ts'
import { fileLock } from '../files/sweep.ts'
import { queueNames } from '../kernel/due-work.ts'
import { StartError } from '../platform/config.ts'
import { migrationLock } from '../platform/migrate.ts'
import { type Choices, chooseAddresses, writeAddresses } from './addresses.ts'
import { moving, rowsOf } from './contents.ts'

type OpenOptions = { passphrase?: string | undefined; progress?: (title: string, share: number) => void }

/** Refuses a backup of a whole installation. */
export async function openCompany(file: string, { passphrase, progress }: OpenOptions) {
  const backup = await openBackup(file, { passphrase, progress: (share) => progress?.('Importing', share) })
  const { company } = backup.header
  if (company) return { ...backup, company }
  backup.close()
  throw new StartError(`${file} is a backup of a whole installation. Restore it with: npm run restore -- FILE`)
}

export type OpenCompany = Awaited<ReturnType<typeof openCompany>>
type ImportOrder = Pick<RestoreOrder, 'connection' | 'store' | 'signal' | 'progress'> & {
  backup: OpenCompany
  choices: Choices
}

/** A crash leaves only bytes of files without rows, which are removed later. The next import starts over. */
export async function importCompany({ connection, store, backup, choices, signal, progress = () => {} }: ImportOrder) {
  const session = await openSession(connection, 'kith import', signal)
  const { client, schema } = session
  const brought: string[] = []
  try {
    // Until this session ends, no bytes without rows are removed.
    await client.query('select pg_advisory_lock_shared($1)', [fileLock])
    await client.query('begin')
    await keepTables(session, backup)
    await refuseKnown(session, backup)
    const addresses = await chooseAddresses(session, backup, choices)
    const counts = await fill(session, backup)
    const files = await bringFiles(session, { ...backup, files: () => ownFiles(backup) }, store, brought, signal)
    const trailer = await backup.trailer()
    if (files.count !== trailer.files.count || files.bytes !== trailer.files.bytes) throw damaged(backup.file)
    // Rows of other companies would be missing here.
    if (trailer.tables.some(({ name, rows }) => counts.get(name) !== rows)) throw damaged(backup.file)
    const tables = backup.header.tables.map((table) => rowsOf(schema, table, backup.company.id, 'stored'))
    const rows = await checkTables(session, tables, trailer, progress)
    await writeAddresses(session, backup, addresses)
    await client.query(
      'insert into due_work (company_id, queue, due_at) select $1, queue, now() from unnest($2::text[]) queue',
      [backup.company.id, queueNames],
    )
    session.ignoreAbort()
    await client.query('commit')
    return { rows, tables: tables.length, files, withoutSignIn: addresses.taken }
  } catch (error) {
    for (const key of brought) await store.remove(key)
    throw error
  } finally {
    backup.close()
    await session.close() // Closing the connection rolls an open transaction back.
  }
}

/** Refuses another version of the tables, and keeps later migrations from changing them until the transaction ends. */
async function keepTables({ client, schema }: Session, { file, header }: OpenBackup) {
  await client.query('select pg_advisory_lock_shared($1)', [migrationLock])
  const { rows } = await client.query('select name, checksum from migrations order by name')
  if (JSON.stringify(rows) !== JSON.stringify(header.migrations))
    throw new StartError(
      `${file} was created by Kith ${header.kith}, whose tables differ from this installation. Nothing was changed. Update both to the same version, start them and export the company again.`,
    )
  const tables = moving.map((name) => nameIn(schema, name)).join(', ')
  await client.query(`lock table ${tables} in row exclusive mode`)
  await client.query('select pg_advisory_unlock_shared($1)', [migrationLock])
}

async function refuseKnown({ client }: Session, { company }: OpenCompany) {
  const { rowCount } = await client.query('select from companies where id = $1', [company.id])
  if (rowCount)
    throw new StartError(
      `This installation already has the company ${company.name} (${company.id}). Nothing was changed.`,
    )
}

async function fill(session: Session, { file, header, tables }: OpenBackup) {
  const counts = new Map<string, number>()
  for await (const { name, rows } of tables()) {
    const table = header.tables.find((table) => table.name === name)
    if (!table || !moving.includes(name)) throw damaged(file)
    counts.set(name, await copyRows(session, file, table, rows))
  }
  return counts
}

async function* ownFiles({ file, files, company }: OpenCompany) {
  for await (const next of files()) {
    if (!next.key.startsWith(`${company.id}/`)) throw damaged(file)
    yield next
  }
}
