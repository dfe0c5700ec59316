// Checks whether Kith is running, and whether the server on its port uses this database.
import type pg from 'pg'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { type Finding, failed, ok, warning, wordsOf } from './finding.ts'
import { ask, isThisKith, loopbackOf } from './http.ts'

const check = 'Server'

/** Whether any server responds at the address of this Kith. */
export async function answersHere(config: Config) {
  // No answer is the answer.
  const answer = await ask(`${loopbackOf(config)}/livez`).catch(() => null)
  return answer !== null
}

/** A running Kith keeps a connection open, even on another port or machine. */
export async function hasOthers(client: pg.Client) {
  const { rowCount } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'kith' limit 1",
  )
  return Boolean(rowCount)
}

export async function checkServer(config: Config, db: Db, isOpenElsewhere: boolean): Promise<Finding> {
  const origin = loopbackOf(config)
  if (!(await answersHere(config))) {
    if (!isOpenElsewhere)
      return warning(check, 'Kith is not running', 'Start it (npm start) to also check the worker and the address.')
    const advice = 'Run the doctor on the same machine and with the same PORT and HOST as Kith.'
    return warning(check, `A Kith uses this database, but nothing responds at ${origin}`, advice)
  }
  try {
    const ready = await ask(`${origin}/readyz`)
    const { isThis, answer } = await isThisKith(origin, db)
    if (isThis && ready.status === 200) return ok(check, `Kith is ready at ${origin}`)
    if (isThis)
      return failed(
        check,
        `Kith at ${origin} is not ready (${ready.status})`,
        'Try again in a few seconds or restart it.',
      )
    if (answer.status === 429) {
      return warning(
        check,
        `Kith at ${origin} is receiving too many requests right now`,
        'Run the doctor again in five minutes.',
      )
    }
    const advice = 'Check PORT, DATA_DIR and DATABASE_URL: the doctor needs the same settings as Kith.'
    return failed(check, `The server at ${origin} does not use this database (${answer.status})`, advice)
  } catch (error) {
    return failed(check, `${origin} does not respond as Kith does: ${wordsOf(error)}`, 'Restart Kith.')
  }
}
