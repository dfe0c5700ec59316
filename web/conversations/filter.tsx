import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FilterField, FilterObjects } from '../../contract/filter/index.ts'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { FilterBar } from '../records/filter/filter-bar.tsx'
import { useFilterWords } from '../records/filter/filter-words.ts'
import { OtherObjects } from '../records/filter/tree.ts'
import { Loaded } from '../ui/basics/loaded.tsx'

const root = 'conversations'
const hint = 'Type words to search for, or a filter such as subject ~ invoice'

type Field = Output<typeof contract.listConversationFields>['items'][number]

type Props = {
  value: string
  onChange: (text: string) => void
  /** For rules of the company: without what depends on the reader. */
  isForAll?: boolean
}

const ofReader = ['is_unread', 'has_draft']

const fieldsQuery = queryOptions({
  queryKey: ['inbox', 'fields'],
  queryFn: async ({ signal }) => (await api.listConversationFields({}, { signal })).items,
  staleTime: 60_000,
})

const objectsOf = (fields: Field[]): FilterObjects => ({
  [root]: { key: root, label: 'Conversation', fields: fields as FilterField[] },
})

/** A filter on conversations as people say it. Empty until the fields are known. */
export function useConversationFilterWords(text: string | null) {
  const { data } = useQuery({ ...fieldsQuery, enabled: text !== null })
  const objects = useMemo(() => objectsOf(data ?? []), [data])
  return useFilterWords(data ? (text ?? '') : '', { objects, root })
}

/** The filter language with the fields of conversations. */
export function ConversationFilter({ value, onChange, isForAll = false }: Props) {
  const fields = useQuery(fieldsQuery)
  const { data = [] } = fields
  const objects = useMemo(
    () => objectsOf(isForAll ? data.filter(({ key }) => !ofReader.includes(key)) : data),
    [data, isForAll],
  )
  return (
    <Loaded query={fields} what="filter" small>
      {() => (
        <OtherObjects value={objects}>
          <FilterBar object={root} value={value} onChange={onChange} hint={hint} />
        </OtherObjects>
      )}
    </Loaded>
  )
}
