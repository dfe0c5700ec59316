import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs, seed } from '../../../test/random.ts'
import { Answer } from './offer.ts'
import { bytesOf, textOf } from './written.ts'

const same = (id: string | number, text: string, isError = false) => {
  const answer = new Answer(text, isError)
  expect(bytesOf(id, answer).toString()).toBe(textOf(id, answer))
}

test('an answer as bytes is the answer as text, whatever stands in it', () => {
  const any = fc.record({ id: fc.oneof(fc.integer(), fc.string({ unit: 'binary' })), value: fc.jsonValue() })
  fc.assert(
    fc.property(any, ({ id, value }) => same(id, JSON.stringify({ value }), true)),
    { seed, numRuns: runs(300) },
  )
  for (const text of ['"', '\\', '漢字 "quoted"', '👩‍🚀\\n', '\u2028'])
    for (const times of [1, 5000, 200_000]) same(1, JSON.stringify(text.repeat(times)))
})
