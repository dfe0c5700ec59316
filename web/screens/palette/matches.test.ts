import { expect, test } from 'vitest'
import { matches } from './matches.ts'

test.each(['trash: peo', 'people, trash', 'TRASH', 'péo'])(
  'an entry of the palette is found as it is written: %s',
  (query) => {
    expect(matches('Trash: People', query)).toBe(true)
  },
)

test.each(['rash', ':', 'trash deals'])('and not by what it does not begin with: %s', (query) => {
  expect(matches('Trash: People', query)).toBe(false)
})
