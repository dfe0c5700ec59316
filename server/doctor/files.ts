// Checks that S3 does what Kith needs, and that the store has the bytes of every file.
import { randomUUIDv7 } from 'node:crypto'
import { openFiles } from '../files/open.ts'
import { type FileStore, keyOf } from '../files/store.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { count, sizeOf } from '../platform/terminal.ts'
import { type Finding, failed, ok, warning, wordsOf } from './finding.ts'

const check = 'Files'
const seconds = 6
const step = 500
const shown = 5

export async function checkFiles(config: Config, db: Db): Promise<Finding> {
  const { store, moving } = openFiles(config)
  const problem = config.s3 && (await problemOf(store))
  if (problem) {
    const advice = 'Check the settings that begin with S3_, and that this key may list, read, write and delete.'
    return failed(check, `${config.s3!.endpoint.host}: ${problem}`, advice)
  }
  const end = Date.now() + seconds * 1000
  const wrong: string[] = []
  let [seen, bytes, isCutShort] = [0, 0, false]
  for await (const file of allFiles(db)) {
    isCutShort = Date.now() > end
    if (isCutShort) break
    const size = await store.sizeOf(keyOf(file))
    if (size !== file.size) wrong.push(`${keyOf(file)} ${size === null ? 'is missing' : `has ${size} bytes`}`)
    seen++
    bytes += file.size
  }
  if (wrong.length) {
    const words = [...wrong.slice(0, shown), ...(wrong.length > shown ? [`and ${wrong.length - shown} more`] : [])]
    const folder = `${config.dataDir}/files`
    const advice = moving
      ? `Copy them from a backup, or from the machine where they were uploaded, to ${folder}. They are moved from there.`
      : `Copy them from a backup, or from the machine where they were uploaded, to ${folder}. All processes of Kith need the same folder.`
    return failed(
      check,
      `${count(wrong.length, 'file is', 'files are')} missing or incomplete: ${words.join(', ')}`,
      advice,
    )
  }
  if (isCutShort)
    return warning(check, `The first ${seen} are complete`, 'There was not enough time to check the others.')
  return ok(check, seen ? `${count(seen, 'file', 'files')}, ${sizeOf(bytes)}` : 'None yet')
}

/** Tries what Kith needs to do. */
async function problemOf(store: FileStore) {
  const key = keyOf({ company_id: randomUUIDv7(), id: randomUUIDv7() })
  try {
    await store.put(key, [Buffer.from('Kith')])
    await Array.fromAsync(await store.read(key))
    await store.remove(key)
    await store.tidy(Number.POSITIVE_INFINITY)
  } catch (error) {
    return wordsOf(error)
  }
}

async function* allFiles(db: Db) {
  const companies = await db.selectFrom('companies').select('id').orderBy('id').execute()
  for (const { id } of companies)
    for (let after: string | undefined; ; ) {
      const rows = await filesAfter(db, id, after)
      yield* rows
      if (rows.length < step) break
      after = rows.at(-1)!.id
    }
}

function filesAfter(db: Db, company_id: string, after: string | undefined) {
  const rows = db.selectFrom('files').select(['company_id', 'id', 'size']).where('company_id', '=', company_id)
  const page = rows.orderBy('id').limit(step)
  return (after ? page.where('id', '>', after) : page).execute()
}
