// Checks that the store has the bytes of every file.
import { openFiles } from '../files/open.ts'
import { keyOf } from '../files/store.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { count, sizeOf } from '../platform/terminal.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const check = 'Files'
const seconds = 6
const step = 500
const shown = 5

export async function checkFiles(config: Config, db: Db): Promise<Finding> {
  const { store } = openFiles(config)
  const end = Date.now() + seconds * 1000
  const wrong: string[] = []
  let [seen, bytes] = [0, 0]
  for (let after = ''; ; ) {
    const rows = await filesAfter(db, after)
    for (const file of rows) {
      const size = await store.sizeOf(keyOf(file))
      if (size !== file.size) wrong.push(`${keyOf(file)} ${size === null ? 'is missing' : `has ${size} bytes`}`)
      seen++
      bytes += file.size
    }
    after = rows.at(-1)?.id ?? ''
    if (rows.length < step || Date.now() > end) break
  }
  if (wrong.length) {
    const words = [...wrong.slice(0, shown), ...(wrong.length > shown ? [`and ${wrong.length - shown} more`] : [])]
    const advice = `Copy them from a backup, or from the machine where they were uploaded, to ${config.dataDir}/files. All processes of Kith need the same folder.`
    return failed(
      check,
      `${count(wrong.length, 'file is', 'files are')} missing or incomplete: ${words.join(', ')}`,
      advice,
    )
  }
  const { total } = await countFiles(db)
  if (seen < total)
    return warning(
      check,
      `The first ${seen} of ${total} are complete`,
      'There was not enough time to check the others.',
    )
  return ok(check, seen ? `${count(seen, 'file', 'files')}, ${sizeOf(bytes)}` : 'None yet')
}

function filesAfter(db: Db, after: string) {
  const rows = db.selectFrom('files').select(['company_id', 'id', 'size']).orderBy('id').limit(step)
  return (after ? rows.where('id', '>', after) : rows).execute()
}

const countFiles = (db: Db) =>
  db
    .selectFrom('files')
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
    .then(({ total }) => ({ total: Number(total) }))
