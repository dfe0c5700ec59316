// Addresses of the company itself: those of its channels and of its users. Everyone else is an outsider.
import { Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'

export type Ours = {
  channels: Set<string>
  /** Users by address. */
  users: Map<string, string>
}

export async function ourAddresses(db: Db, company_id: string): Promise<Ours> {
  const params = new Params()
  const company = params.add(company_id, 'uuid')
  const rows = await run<{ address: string; user_id: string | null }>(
    db,
    `select lower(address) as address, null::uuid as user_id from channels where company_id = ${company} and deleted_at is null
      union all select lower(email), id from users where company_id = ${company} and email is not null and removed_at is null`,
    params,
  )
  const of = (wanted: boolean) => rows.filter(({ user_id }) => (user_id !== null) === wanted)
  return {
    channels: new Set(of(false).map(({ address }) => address)),
    users: new Map(of(true).map(({ address, user_id }) => [address, user_id!])),
  }
}

/** Whatever the case: what gateways call people keeps it. */
export const isOurs = ({ channels, users }: Ours, address: string) =>
  channels.has(address.toLowerCase()) || users.has(address.toLowerCase())
