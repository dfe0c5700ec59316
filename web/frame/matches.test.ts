import { expect, test } from 'vitest'
import { matches } from './matches.ts'

test.each(['trash: peo', 'people, trash', 'TRASH', 'péo'])(
  'an entry of the palette is found by its words: %s',
  (query) => {
    expect(matches('Trash: People', query)).toBe(true)
  },
)

test.each(['rash', ':', 'trash deals'])('and not by parts inside a word: %s', (query) => {
  expect(matches('Trash: People', query)).toBe(false)
})

test('joining words may be typed along with others', () => {
  expect(matches('Copy link to this page', 'link to this')).toBe(true)
  expect(matches('Copy link to this page', 'this')).toBe(false)
})
