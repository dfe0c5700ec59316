// Random cases are the same in every run until the next long one. FC_SEED=7 takes others, FC_TIMES=20 takes twenty times
// as many as are given.
import { createHash } from 'node:crypto'
import { longRun } from '../scripts/test/long-run.ts'
import { isLong } from './long.ts'

export const seed = Number(process.env.FC_SEED ?? longRun.seed)
const times = Number(process.env.FC_TIMES ?? (isLong ? 3 : 1 / 3))
export const runs = (number: number) => Math.ceil(number * times)
/** For the time limit of a test. */
export const patience = 60_000 * Math.max(1, times)

const atOnce = 10
/** A few at a time, in turns. */
export async function inTurns<T>(list: T[], work: (one: T) => Promise<void>) {
  for (let i = 0; i < list.length; i += atOnce) await Promise.all(list.slice(i, i + atOnce).map(work))
}

/** This many of the list, chosen by the seed and the name, so that each name gets others. */
export function chosen<T>(list: T[], count: number, name: string) {
  const rank = (index: number) => createHash('sha256').update(`${seed} ${name} ${index}`).digest('hex')
  return list
    .map((value, index) => ({ value, rank: rank(index) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ value }) => value)
}
