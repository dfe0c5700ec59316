import { expect, test } from 'vitest'
import { firstName } from './first-name.ts'

test.each([
  ['Karla Brandt', 'Karla'],
  ['Dr. Karla Brandt', 'Karla'],
  ['José María Aznar', 'José'],
  ['王小明', '王小明'],
  ['Madonna', 'Madonna'],
])('%s is greeted as %s', (name, first) => expect(firstName(name)).toBe(first))
