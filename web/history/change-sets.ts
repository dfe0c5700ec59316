import { keepPreviousData } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Input, Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import type { ObjectShape } from '../records/schema.ts'
import { pagesOf } from '../ui/pages.ts'

export type ChangeSet = Output<typeof contract.listChanges>['items'][number]
export type Change = ChangeSet['changes'][number]
export type ChangeFilter = Omit<Input<typeof contract.listChanges>, 'limit' | 'cursor' | 'max_changes'>

const pageSize = 50
/** All of a change set: what it did is told in words. */
const mostChanges = 1000

export const changesQuery = (filter: ChangeFilter) => ({
  ...pagesOf(['changes', filter], (cursor) =>
    api.listChanges({ ...filter, max_changes: mostChanges, limit: pageSize, cursor }),
  ),
  placeholderData: keepPreviousData,
})

/** Of members, roles, keys and settings there is no way back here. */
export const isUndoable = ({ changes }: ChangeSet, objects: ObjectShape[]) =>
  changes.some(({ object }) => objects.some(({ key }) => key === object))
