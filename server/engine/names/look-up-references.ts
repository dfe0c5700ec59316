// Looks up all users and records that a call names, in values or in a filter, together.

import type { Reference, References } from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { AppError } from '../../kernel/app-error.ts'
import { mayNameRecords, type Reader } from '../../kernel/context.ts'
import type { Schema } from '../schema/schema.ts'
import type { Match } from './match.ts'
import { nearestTitles, recordsNamed } from './named-records.ts'
import { allUsers, nearestUsers, usersNamed } from './named-users.ts'

export const mostNames = 200
/** Only for the first few unknown names, because comparing names takes time. */
const mostSuggested = 5

/** For each reference, the matches that the caller may see, or the most similar names. */
export async function lookUp(context: Reader, schema: Schema, references: Reference[]): Promise<References> {
  if (references.filter(({ text, kind }) => kind !== 'users' && !isId(text)).length > mostNames)
    throw new AppError(
      'invalid_input',
      `This call names more than ${mostNames} different users and records. Use their IDs or send several calls.`,
    )
  const [everyone] = references.filter(({ kind }) => kind === 'users')
  const ofKind = (wanted: Reference['kind']) => references.filter(({ kind }) => kind === wanted)
  return {
    ...(everyone && { [everyone.key]: await allUsers(context) }),
    ...(await lookUpEach(
      ofKind('user'),
      (users) => usersNamed(context, users.map(textOf)),
      (users) => nearestUsers(context, users.map(textOf)),
    )),
    ...(await lookUpEach(
      ofKind('record'),
      (records) => recordsNamed(context, schema, records),
      async (records) => (mayNameRecords(context) ? nearestTitles(context, schema, records) : records.map(() => [])),
    )),
  }
}

const textOf = ({ text }: Reference) => text

async function lookUpEach(
  references: Reference[],
  find: (references: Reference[]) => Promise<Match[][]>,
  findNearest: (unknown: Reference[]) => Promise<string[][]>,
): Promise<References> {
  const matches = await find(references)
  const unknown = references.filter(({ text }, i) => !matches[i]!.length && !isId(text)).slice(0, mostSuggested)
  const nearest = await findNearest(unknown)
  return Object.fromEntries([
    ...references.map(({ key }, i) => [key, matches[i]!]),
    ...unknown.map(({ key }, i) => [key, { nearest: nearest[i]! }]),
  ])
}
