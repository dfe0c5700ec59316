// One step of the backup benchmark, in its own process so that its memory can be measured.
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import { backUp } from '../server/backup/backup.ts'
import { nameIn, tablesIn } from '../server/backup/catalog.ts'
import { openForRestore, restore } from '../server/backup/restore.ts'
import { openSession } from '../server/backup/session.ts'
import { diskStore } from '../server/files/store.ts'
import type { Order, Outcome } from './backup.ts'

const { work, connection, file }: Order = JSON.parse(process.argv[2]!)
const began = performance.now()
if (work === 'ceiling') await discardAll()
const store = diskStore(`${file}-files`)
if (work === 'backup') await backUp({ connection, store, file })
if (work === 'restore') await restore({ connection, store, backup: await openForRestore(file) })
const outcome: Outcome = {
  seconds: (performance.now() - began) / 1000,
  megabytes: process.resourceUsage().maxRSS / 1024,
}
process.send!(outcome, () => process.exit(0))

async function discardAll() {
  const session = await openSession(connection, 'bench')
  for (const { name } of await tablesIn(session)) {
    const rows = session.client.query(copyTo(`copy ${nameIn(session.schema, name)} to stdout`))
    await pipeline(rows, async (pieces: AsyncIterable<Buffer>) => {
      for await (const _ of pieces);
    })
  }
  await session.close()
}
