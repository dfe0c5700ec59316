import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FilterField, FilterObjects } from '../../contract/filter/index.ts'
import { api } from '../client/api.ts'
import { FilterBar } from '../records/filter/filter-bar.tsx'
import { OtherObjects } from '../records/filter/tree.ts'
import { Loaded } from '../ui/loaded.tsx'

const root = 'conversations'

type Props = {
  value: string
  onChange: (text: string) => void
  /** For rules of the company: without what depends on the reader. */
  isForAll?: boolean
}

const ofReader = ['is_unread', 'has_draft']

/** The filter language with the fields of conversations. */
export function ConversationFilter({ value, onChange, isForAll = false }: Props) {
  const fields = useQuery({
    queryKey: ['inbox', 'fields'],
    queryFn: async ({ signal }) => (await api.getConversationFields({}, { signal })).items,
    staleTime: 60_000,
  })
  const { data = [] } = fields
  const objects = useMemo((): FilterObjects => {
    const shown = isForAll ? data.filter(({ key }) => !ofReader.includes(key)) : data
    return { [root]: { key: root, label: 'Conversation', fields: shown as FilterField[] } }
  }, [data, isForAll])
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
