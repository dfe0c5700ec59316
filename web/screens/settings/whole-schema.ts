import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { api } from '../../client/api.ts'

type Schema = Output<typeof contract.describeSchema>
export type RecordObject = Schema['objects'][number]
export type Field = RecordObject['fields'][number]

/** Includes archived objects and fields. Its key is below that of the schema, so that both are invalidated together. */
export const wholeSchemaQuery = queryOptions({
  queryKey: ['schema', 'whole'],
  queryFn: async () => (await api.describeSchema({ archived: true })).objects,
})

/** Every list, form and filter stands on the schema: all of them ask again. */
export function useSchemaChanged() {
  const client = useQueryClient()
  return async () => {
    for (const key of ['records', 'views']) void client.invalidateQueries({ queryKey: [key] })
    await client.invalidateQueries({ queryKey: ['schema'] })
  }
}

/** Shows another order at once; the server is asked by the caller. */
export function useReorderedSchema() {
  const client = useQueryClient()
  return async (reorder: (objects: RecordObject[]) => RecordObject[]) => {
    await client.cancelQueries({ queryKey: wholeSchemaQuery.queryKey })
    client.setQueryData(wholeSchemaQuery.queryKey, (now) => now && reorder(now))
  }
}
