import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { api } from '../../client/api.ts'
import { useSaveAtOnce } from '../../ui/form/use-save-at-once.ts'

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

type Reordering = { reorder: (objects: RecordObject[]) => RecordObject[]; send: () => Promise<unknown> }

/** Saves another order of objects or fields. */
export const useReorderedSchema = () =>
  useSaveAtOnce<RecordObject[], Reordering>({
    queryKey: wholeSchemaQuery.queryKey,
    apply: (objects, { reorder }) => reorder(objects),
    send: ({ send }) => send(),
    refused: 'The order could not be saved',
    onSaved: useSchemaChanged(),
  })
