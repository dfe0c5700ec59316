// Numbers over all people: what someone would write by hand for the typed table, and the same question to us.
import { isDeepStrictEqual } from 'node:util'
import type { Request } from './load.ts'
import { byHand, type Place, rest } from './records-calls.ts'

type Question = { name: string; input: object; ceiling: string }
type Values = Record<string, number | null>
/** What both sides answer. */
type Numbers = { totals: Values; groups: { keys: (string | null)[]; values: Values }[] }

const questions: Question[] = [
  { name: 'count by status', input: { group_by: ['status'] }, ceiling: 'count-by-status' },
  {
    name: 'sum and average of active people',
    input: { filter: 'status = active', measures: ['count', 'sum(visits)', 'average(score)'] },
    ceiling: 'sum-of-active',
  },
  {
    name: 'sum by month and status',
    input: { measures: ['count', 'sum(visits)'], group_by: ['month(created_at)', 'status'] },
    ceiling: 'sum-by-month-and-status',
  },
  {
    name: 'ten countries with most visits',
    input: { measures: ['count', 'sum(visits)'], group_by: ['country'], order: '-sum(visits)', top: 10 },
    ceiling: 'top-countries',
  },
]

export const aggregatesOf = (place: Place) =>
  questions.map(({ name, input, ceiling }) => {
    const ours = rest(place, 'POST', '/records/people/aggregation', input)
    const other = byHand(place, ceiling)
    return { name, ours: () => ours, ceiling: () => other }
  })

/** Both sides must come to the same numbers. */
export async function demandSameNumbers(name: string, ours: Request, ceiling: Request) {
  const [own, other] = await Promise.all([ours, ceiling].map(numbersOf))
  if (!isDeepStrictEqual(own, other))
    throw new Error(`${name}: the numbers differ:\n${JSON.stringify(own)}\n${JSON.stringify(other)}`)
  console.log(`\n${name}: same numbers, ${own!.groups.length} groups`)
}

async function numbersOf({ port, path, ...init }: Request) {
  const answer = await fetch(`http://localhost:${port}${path}`, init)
  if (!answer.ok) throw new Error(await answer.text())
  const { totals, groups } = (await answer.json()) as Numbers
  const plain = groups.map(({ keys, values }) => JSON.stringify([keys, values]))
  return { totals, groups: plain.toSorted() }
}
