// What every place for files promises.
import { hash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import type { FileStore } from '../server/files/store.ts'

/** `age` makes all of its files old. */
export type Place = { store: FileStore; age(): void }

/** `sizes`: of files, around the places where content is divided. */
export function keepsItsPromises({ store, age }: Place, sizes: number[]) {
  const newKey = (company_id: string = randomUUIDv7()) => `${company_id}/${randomUUIDv7()}`
  const contentOf = async (key: string) => Buffer.concat((await Array.fromAsync(await store.read(key))) as Buffer[])
  async function* inPieces(content: Buffer) {
    for (let at = 0; at < content.length; at += 700_001) yield content.subarray(at, at + 700_001)
  }

  test.each(sizes)('%i bytes are read as they were stored, and measured', async (size) => {
    const [key, content] = [newKey(), randomBytes(size)]
    const stored = await store.put(key, inPieces(content))
    expect({ ...stored, head: stored.head.length }).toEqual({
      size,
      sha256: hash('sha256', content, 'buffer'),
      head: Math.min(size, 8192),
    })
    expect((await contentOf(key)).equals(content)).toBe(true)
    expect(await store.sizeOf(key)).toBe(size)
    await store.remove(key)
    expect(await store.sizeOf(key)).toBe(null)
    await expect(store.read(key)).rejects.toMatchObject({ code: 'ENOENT' })
    await store.remove(key)
  })

  test('content that breaks off is not stored', async () => {
    const key = newKey()
    async function* broken() {
      yield randomBytes(2500)
      throw new Error('the sender left')
    }
    await expect(store.put(key, broken())).rejects.toThrow('the sender left')
    expect(await store.sizeOf(key)).toBe(null)
  })

  test('old files are listed by company, page after page, and new ones are not', async () => {
    const [one, two] = [randomUUIDv7(), randomUUIDv7()]
    const keys = [one, two, one, two, one].map((company_id) => newKey(company_id))
    for (const key of keys) await store.put(key, [Buffer.from('x')])
    const listed = async (ms: number) => (await Array.fromAsync(store.keys(ms))).filter((key) => keys.includes(key))
    expect(await listed(60_000)).toEqual([])
    age()
    const found = await listed(60_000)
    expect(found.toSorted()).toEqual(keys.toSorted())
    const companies = found.map((key) => key.split('/')[0])
    expect(companies).toEqual(companies.toSorted())
  })

  test('a key that is not two IDs reaches nothing', async () => {
    for (const key of ['../secret.key', `${randomUUIDv7()}/../../x`, `/${newKey()}`, `${newKey()}/x`, ''])
      for (const attempt of [() => store.put(key, []), () => store.read(key), () => store.sizeOf(key)])
        await expect((async () => attempt())()).rejects.toThrow('two IDs')
  })
}
