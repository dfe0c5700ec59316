// Whether Kith runs, and whether what answers on its port is this one.
import type pg from 'pg'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { ask, isThisKith, loopbackOf } from './ask.ts'
import { type Finding, failed, ok, warning, wordsOf } from './finding.ts'

const check = 'Server'

/** Whether anything at all takes a connection where Kith would listen. */
export async function answersHere(config: Config) {
  const answer = await ask(`${loopbackOf(config)}/livez`).catch(() => null)
  return answer !== null
}

/** Running Kiths keep connections open, also those on other ports and machines. */
export async function hasOthers(client: pg.Client) {
  const { rowCount } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'kith' limit 1",
  )
  return Boolean(rowCount)
}

export async function checkServer(config: Config, db: Db, others: boolean): Promise<Finding> {
  const origin = loopbackOf(config)
  if (!(await answersHere(config))) {
    if (!others) return warning(check, 'Kith does not run', 'Start it (npm start) to have worker and address checked.')
    const advice = 'Run the doctor with the same PORT and HOST as Kith, on the same machine.'
    return warning(check, `A Kith uses this database, but nothing answers at ${origin}`, advice)
  }
  try {
    const ready = await ask(`${origin}/readyz`)
    const { isThis, answer } = await isThisKith(origin, db)
    if (isThis && ready.status === 200) return ok(check, `Kith is ready at ${origin}`)
    if (isThis)
      return failed(check, `Kith at ${origin} is not ready (${ready.status})`, 'Wait a moment, or restart it.')
    if (answer.status === 429) {
      return warning(check, `Kith at ${origin} is asked too often just now`, 'Run the doctor again in five minutes.')
    }
    const advice = 'Check PORT, DATA_DIR and DATABASE_URL: the doctor needs the same as Kith.'
    return failed(check, `What answers at ${origin} does not use this database (${answer.status})`, advice)
  } catch (error) {
    return failed(check, `${origin} does not answer as Kith does: ${wordsOf(error)}`, 'Restart Kith.')
  }
}
