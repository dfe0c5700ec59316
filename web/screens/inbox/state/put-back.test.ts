import { expect, test } from 'vitest'
import type { Conversation } from '../../../conversations/inbox.ts'
import { putBack } from './put-back.ts'
import type { Pages } from './use-conversations.ts'

const row = (id: string, state = 'open') => ({ id, state }) as Conversation
const list = (...pages: Conversation[][]): Pages => ({
  pages: pages.map((items) => ({ items, next_cursor: null })),
  pageParams: pages.map(() => undefined),
})
const opened = (one: Conversation) => ({ ...one, state: 'open' as const })
const shown = ({ pages }: Pages) => pages.map(({ items }) => items.map(({ id, state }) => `${id} ${state}`))

test('a refused change puts conversations back where they were, beside what others have changed since', () => {
  const known = list([row('a'), row('b'), row('c')], [row('d'), row('e')])
  const now = list([row('new'), row('a'), row('c', 'closed')], [row('e')])
  expect(shown(putBack(now, known, new Set(['b', 'd']), opened))).toEqual([
    ['new open', 'a open', 'b open', 'c closed'],
    ['d open', 'e open'],
  ])
})

test('a conversation that is still in the list only becomes what it was, and none comes twice', () => {
  const known = list([row('a'), row('b')], [row('c')])
  const now = list([row('b', 'closed'), row('c')], [])
  expect(shown(putBack(now, known, new Set(['a', 'b', 'c']), opened))).toEqual([['a open', 'b open', 'c open'], []])
})
