import { expect, test } from 'vitest'
import { pagesInSight } from './pages-in-sight.ts'

type Page = { items: string[]; next_cursor: string | null; isOld?: boolean }

test('a reload fetches the pages in sight, and the others as soon as they come into sight', async () => {
  const served: Page[] = [
    { items: ['a', 'b'], next_cursor: '1' },
    { items: ['c', 'd'], next_cursor: '2' },
    { items: ['e'], next_cursor: null },
  ]
  const sight = pagesInSight<Page>(({ items }) => items.length)
  const asked: number[] = []
  const reload = async (known: Page[]) => {
    asked.length = 0
    const pages: Page[] = []
    for (let i = 0, cursor: string | undefined; i < 3; i++) {
      const page = await sight.fetch(known, cursor, async () => {
        asked.push(i)
        return served[i]!
      })
      pages.push(page)
      cursor = page.next_cursor ?? undefined
    }
    return pages
  }
  const first = await reload([])
  expect(asked).toEqual([0, 1, 2])
  expect(sight.see(first, 0, 1)).toBe(false)
  // Someone closed the first one, so the first page ends elsewhere, with another cursor.
  served[0] = { items: ['b', 'c'], next_cursor: '1b' }
  served[1] = { items: ['d'], next_cursor: '2b' }
  const second = await reload(first)
  expect(asked, 'only what is in sight').toEqual([0])
  expect(second.map(({ isOld = false }) => isOld)).toEqual([false, true, true])
  expect(sight.see(second, 1, 3), 'rows of an old page come into sight').toBe(true)
  const third = await reload(second)
  expect(asked).toEqual([0, 1])
  expect(third[1]).toEqual(served[1])
  expect(sight.see(third, 0, 2), 'pages are counted by the rows that they have').toBe(false)
})
