// Random cases are the same in every run. FC_SEED=7 takes others, FC_TIMES=20 takes more of them.
export const seed = Number(process.env.FC_SEED ?? 20260617)
const times = Number(process.env.FC_TIMES ?? 1)
export const runs = (number: number) => Math.ceil(number * times)
/** For the time limit of a test. */
export const patience = 60_000 * Math.max(1, times)

const atOnce = 10
/** A few at a time, in turns. */
export async function inTurns<T>(list: T[], work: (one: T) => Promise<void>) {
  for (let i = 0; i < list.length; i += atOnce) await Promise.all(list.slice(i, i + atOnce).map(work))
}
