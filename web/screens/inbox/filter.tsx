import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FilterField, FilterObjects } from '../../../contract/filter/index.ts'
import { api } from '../../client/api.ts'
import { FilterBar } from '../../records/filter/filter-bar.tsx'
import { OtherObjects } from '../../records/filter/tree.ts'
import { Loaded } from '../../ui/loaded.tsx'

const root = 'conversations'

/** The filter language with the fields of conversations. */
export function ConversationFilter({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const fields = useQuery({
    queryKey: ['inbox', 'fields'],
    queryFn: async ({ signal }) => (await api.getConversationFields({}, { signal })).items,
    staleTime: 60_000,
  })
  const { data = [] } = fields
  const objects = useMemo(
    (): FilterObjects => ({ [root]: { key: root, label: 'Conversation', fields: data as FilterField[] } }),
    [data],
  )
  return (
    <Loaded query={fields} what="filter" small>
      {() => (
        <OtherObjects value={objects}>
          <FilterBar object={root} value={value} onChange={onChange} />
        </OtherObjects>
      )}
    </Loaded>
  )
}
