import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { api } from '../../client/api.ts'
import { useOrder } from '../../ui/form/reorder.tsx'

type Schema = Output<typeof contract.describeSchema>
export type RecordObject = Schema['objects'][number]
export type Field = RecordObject['fields'][number]

/** Includes archived objects and fields. Its key is below that of the schema, so that both are invalidated together. */
export const wholeSchemaQuery = queryOptions({
  queryKey: ['schema', 'whole'],
  queryFn: async () => (await api.describeSchema({ include_archived: true })).objects,
})

/** Every list, form and filter stands on the schema: all of them ask again. */
export function useSchemaChanged() {
  const client = useQueryClient()
  return async () => {
    for (const key of ['records', 'views']) void client.invalidateQueries({ queryKey: [key] })
    await client.invalidateQueries({ queryKey: ['schema'] })
  }
}

/** Saves another order of objects or fields. */
export const useSchemaOrder = () => useOrder<RecordObject[]>(wholeSchemaQuery, useSchemaChanged())
