import { useQuery } from '@tanstack/react-query'
import { counted, pluralOf } from '../../../records/counted.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import type { Bulk } from './use-bulk.ts'

/** The server says how many records match now, because the list may have changed since it was loaded. */
export function BulkDelete({ object, bulk }: { object: ObjectShape; bulk: Bulk }) {
  const { data: count } = useQuery({
    queryKey: ['bulk delete', object.key],
    queryFn: bulk.countDelete,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const what = count === undefined ? pluralOf(object) : counted(count, object)
  return (
    <Confirm
      title={`Delete ${what}?`}
      action={count === undefined ? 'Delete' : `Delete ${what}`}
      act={bulk.remove}
      onDone={() => {}}
      onClose={bulk.close}
    >
      <p>They go to the trash, from where they can be restored.{bulk.isJob && ' This runs in the background.'}</p>
    </Confirm>
  )
}
