import { expect, test } from 'vitest'
import type { ObjectSchema } from '../schema/schema.ts'
import { compareCompanies, comparePeople, type Facts } from './compare.ts'
import { keysOf, leastWeight } from './keys.ts'
import { pairs } from './known-pairs.ts'

const judged = pairs.map(({ a, b, isCompany, ...pair }) => ({
  ...pair,
  ...(isCompany ? compareCompanies(a, b) : comparePeople(a, b)),
}))
const isSame = ({ expected }: { expected: string }) => expected !== 'different'

test('500 pairs from many countries: what is called certain is a duplicate, and nearly all duplicates are found', () => {
  expect(pairs).toHaveLength(500)
  const certain = judged.filter(({ likeness }) => likeness === 'certain')
  const same = judged.filter(isSame)
  const found = same.filter(({ likeness }) => likeness !== 'different')
  const different = judged.filter((pair) => !isSame(pair))
  const suspected = different.filter(({ likeness }) => likeness !== 'different')
  const figures = {
    precisionOfCertain: certain.filter(isSame).length / certain.length,
    recall: found.length / same.length,
    missed: same.filter(({ likeness }) => likeness === 'different').map(({ text, score }) => `${score} ${text}`),
    suspected: suspected.map(({ text, score }) => `${score} ${text}`),
  }
  expect(figures.precisionOfCertain, JSON.stringify(figures, null, 1)).toBeGreaterThanOrEqual(0.95)
  expect(figures.recall, JSON.stringify(figures, null, 1)).toBeGreaterThanOrEqual(0.9)
  expect(suspected.length / different.length, JSON.stringify(figures, null, 1)).toBeLessThanOrEqual(0.1)
})

test('no pair that is alike is missed because the two share too few keys', () => {
  const object = (built_in_key: string) => ({ id: built_in_key, built_in_key }) as ObjectSchema
  const missed = pairs.filter(isSame).filter(({ a, b, isCompany }) => {
    const keysIn = (facts: Facts) => keysOf(object(isCompany ? 'organizations' : 'people'), facts)
    const isAlike = (isCompany ? compareCompanies(a, b) : comparePeople(a, b)).likeness !== 'different'
    const sharedBy = (some: Facts, other: Facts) => {
      const others = new Set(keysIn(other).map(({ key }) => key))
      return keysIn(some).reduce((sum, { key, weight }) => sum + (others.has(key) ? weight : 0), 0)
    }
    // Either of the two finds the other one.
    return isAlike && Math.max(sharedBy(a, b), sharedBy(b, a)) < leastWeight
  })
  expect(missed.map(({ text }) => text)).toEqual([])
})

test('reasons do not repeat the domain of an address that both have', () => {
  const of = (facts: Partial<Facts>): Facts => ({ name: 'Grace Hopper', emails: [], phones: [], domains: [], ...facts })
  const grace = of({ emails: ['grace@mail.acme.com'], domains: ['acme.com'] })
  const plus = of({ emails: ['grace+fair@mail.acme.com'], domains: ['acme.com'] })
  expect(comparePeople(grace, grace).reasons).toEqual(['same email address grace@mail.acme.com', 'same name'])
  expect(comparePeople(grace, plus).reasons).toEqual(['same mailbox grace@mail.acme.com', 'same name'])
  expect(comparePeople(grace, of({ domains: ['acme.com'] })).reasons).toEqual(['same name, same domain acme.com'])
})
