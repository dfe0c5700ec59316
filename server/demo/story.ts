// The types that the parts of the demo share.
import type { Shown, Values } from '../engine/values/from-row.ts'
import type { Actor, Caller, Door } from '../kernel/context.ts'
import type { Db } from '../platform/db.ts'
import type { Home } from './countries.ts'
import type { Random } from './random.ts'
import type { Website } from './website.ts'

export type Filling = { company_id: string; now: Date; seed: string }
export type Room = Filling & {
  db: Db
  random: Random
  company_name: string
  currency: string
  /** Where the company is. Most of its customers are there, too. */
  home: Home
  admin_id: string
}

export type Made = { id: string; name: string; at: Date }
export type MadeUser = Made & { role: string; invited_by: string | null }
export type Team = {
  roles: Made[]
  /** The first leads the team and has invited the last ones. */
  colleagues: (MadeUser & { invited_by: string })[]
  agent: MadeUser
  key: Made
}

/** `principal`: what acts in the place of a user, such as a form. */
export type Writer = Pick<Caller, 'principal'> & { actor: Actor; door: Door; client: string | null; since: Date }
export type Converted = Record<'person' | 'organization', { id: string } | null>
export type Recorder = {
  at: Date
  create(object: string, records: Values[]): Promise<Shown[]>
  /** Converts a lead to a person, an organization and a deal with these values. */
  convert(lead: Pick<Shown, 'id'>, deal: Values): Promise<Converted>
  update(object: string, records: Pick<Shown, 'id'>[], values: (index: number) => Values): Promise<void>
}
export type Entry = { daysAgo: number; by: Writer; write: (recorder: Recorder) => Promise<unknown> }

/** An organization with the people and deals that exist so far. */
export type Account = { organization: Shown; people: Shown[]; deals: Shown[]; owner: Writer; home: Home }
export type Story = {
  random: Random
  now: Date
  /** The first Admin, then the colleagues who write. */
  crew: Writer[]
  agent: Writer
  colleagueNames: string[]
  website: Website
  /** Records from there are the newest, and so the first in every list. */
  home: Home
  currency: string
  /** Grows while the entries are written. */
  accounts: Account[]
  /** By name. */
  products: Map<string, Shown>
}
