import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { backupHome, contentOf, emptyDatabase, inFirstFormat } from '../../test/backup.ts'
import { testDatabase } from '../../test/database.ts'
import { givenFor } from '../../test/given.ts'
import { isLong } from '../../test/long.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { diskStore, type FileStore } from '../files/store.ts'
import { sweepFiles } from '../files/sweep.ts'
import { backUp } from './backup.ts'
import { openForRestore, restore } from './restore.ts'

waitForProcesses()

const { home, newFile, store, restoreInto } = backupHome()

describe('files', () => {
  let source: Awaited<ReturnType<typeof testDatabase>>
  let company_id: string
  const contents = [Buffer.from('small'), randomBytes(300_000), Buffer.alloc(1_000_000, 'a')]
  const ids = contents.map(() => randomUUIDv7())
  const newStore = () => diskStore(mkdtempSync(join(home, 'store-')))
  const contentIn = async (from: FileStore, id: string) =>
    Buffer.concat((await Array.fromAsync(await from.read(`${company_id}/${id}`))) as Buffer[])
  beforeAll(async () => {
    source = await testDatabase()
    const admin = await givenFor(source.db, () => new Date('2026-06-15T12:00:00Z')).company()
    company_id = admin.company_id
    for (const [i, content] of contents.entries()) {
      const { size, sha256 } = await store.put(`${company_id}/${ids[i]}`, [content])
      const row = { company_id, id: ids[i]!, purpose: 'import', name: 'a', type: 'text/plain', size, sha256 }
      await source.db
        .insertInto('files')
        .values({ ...row, created_at: new Date() })
        .execute()
    }
  })

  test.each(isLong ? [undefined, 'correct horse battery'] : ['correct horse battery'])(
    'are restored with their rows, passphrase %s',
    async (passphrase) => {
      const [file, target, fresh] = [newFile(), await emptyDatabase(), newStore()]
      const made = await backUp({ store, connection: source.owner, file, passphrase })
      const figures = { count: 3, bytes: 1_300_005 }
      expect(made.files).toEqual({ ...figures, lost: [] })
      const restored = await restoreInto(target, file, { store: fresh, ...(passphrase && { passphrase }) })
      expect(restored.files).toEqual(figures)
      for (const [i, content] of contents.entries())
        expect((await contentIn(fresh, ids[i]!)).equals(content)).toBe(true)
      expect(await contentOf(target)).toEqual(await contentOf(source.owner))
    },
  )

  test('deleted during a backup are still in it, because their bytes are not removed until it ends', async () => {
    const [file, fresh, id] = [newFile(), newStore(), randomUUIDv7()]
    const { size, sha256 } = await store.put(`${company_id}/${id}`, [Buffer.from('soon gone')])
    const row = { company_id, id, purpose: 'import', name: 'a', type: 'text/plain', size, sha256 }
    await source.db
      .insertInto('files')
      .values({ ...row, created_at: new Date() })
      .execute()
    utimesSync(join(home, 'files', company_id, id), new Date(0), new Date(0))
    let swept: number | undefined
    const meanwhile: FileStore = {
      ...store,
      async read(key) {
        if (swept === undefined) {
          await source.db.deleteFrom('files').where('id', '=', id).execute()
          swept = await sweepFiles(source.db, store)
        }
        return store.read(key)
      },
    }
    await backUp({ store: meanwhile, connection: source.owner, file })
    expect(swept).toBe(0)
    await restoreInto(await emptyDatabase(), file, { store: fresh })
    expect(String(await contentIn(fresh, id))).toBe('soon gone')
    expect(await sweepFiles(source.db, store)).toBe(1)
  })

  test('that are missing or damaged are reported, and do not stop the backup', async () => {
    const [file, fresh, damagedStore] = [newFile(), newStore(), newStore()]
    for (const [i, content] of contents.entries())
      if (i) await damagedStore.put(`${company_id}/${ids[i]}`, [i === 1 ? content.subarray(1) : content])
    const made = await backUp({ store: damagedStore, connection: source.owner, file })
    expect(made.files).toMatchObject({ count: 2, lost: [ids[0], ids[1]].sort().map((id) => `${company_id}/${id}`) })
    expect((await restoreInto(await emptyDatabase(), file, { store: fresh })).files.count).toBe(2)
    expect((await contentIn(fresh, ids[2]!)).equals(contents[2]!)).toBe(true)
  })

  test('of a restore that fails are removed again', async () => {
    const [file, fresh] = [newFile(), mkdtempSync(join(home, 'store-'))]
    await backUp({ store, connection: source.owner, file })
    const beforeCommit = () => {
      throw new Error('no')
    }
    const backup = await openForRestore(file)
    const order = { connection: await emptyDatabase(), store: diskStore(fresh), backup, beforeCommit }
    await expect(restore(order)).rejects.toThrow('no')
    expect(readdirSync(join(fresh, company_id))).toEqual([])
  })

  test.runIf(isLong)('are not part of a backup in format 1, which can still be restored', async () => {
    const [file, old, target] = [newFile(), newFile(), await emptyDatabase()]
    const { owner } = await testDatabase()
    await backUp({ store, connection: owner, file })
    writeFileSync(old, inFirstFormat(file))
    await restoreInto(target, old)
    expect(await contentOf(target)).toEqual(await contentOf(owner))
  })
})
