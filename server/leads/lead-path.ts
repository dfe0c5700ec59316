// The sources that a lead has passed on its way from one Kith to another, so that none of them gets it a second time.
import { sql } from 'kysely'
import { idsWithMerged } from '../engine/names/merged.ts'
import { AppError } from '../kernel/app-error.ts'
import type { Context } from '../kernel/context.ts'
import type { Db } from '../platform/db.ts'

/** One source of an installation. IDs alone would do, if no installation were a copy of another. */
const stopAt = (baseUrl: URL, source_id: string) => `${baseUrl.host}/${source_id}`
const mostStops = 10

/** The path of a lead that is submitted to this source. */
export function pathTo(context: Pick<Context, 'leadPath'>, baseUrl: URL, source_id: string) {
  const before = (context.leadPath ?? '').split(' ').filter(Boolean)
  const here = stopAt(baseUrl, source_id)
  const hosts = [...before, here].map((stop) => stop.split('/')[0]!.slice(0, 100))
  if (before.includes(here))
    throw new AppError(
      'conflict',
      `This lead was sent in a loop: ${hosts.join(' → ')}. It was not added again. Change a route or a destination.`,
    )
  if (before.length >= mostStops)
    throw new AppError('conflict', `This lead has already passed ${before.length} lead sources, so it was not added.`)
  return [...before, here]
}

/** Empty for a lead that came from no source. */
export async function pathOf(db: Db, baseUrl: URL, { company_id, id }: { company_id: string; id: string }) {
  const { rows } = await sql<{ source_id: string; path: string[] | null }>`
    select source_id, body -> 'path' as path from lead_submissions
    where company_id = ${company_id} and lead_id = any(${idsWithMerged(company_id, id)}) order by id limit 1`.execute(
    db,
  )
  const [first] = rows
  return first ? (first.path ?? [stopAt(baseUrl, first.source_id)]) : []
}
