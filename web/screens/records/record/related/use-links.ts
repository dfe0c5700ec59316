import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../../client/api.ts'
import { recordsChanged } from '../../../../records/record-cache.ts'
import type { RecordShape } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { saidAndUndoable } from '../../../../records/undo-toast.ts'
import { complain } from '../../../../ui/notices.tsx'
import type { Relation } from './relations.ts'

/** Links and unlinks a record through one relation, from whichever side the field is on. */
export function useLinks(object: ObjectShape, record: RecordShape, { way, field, other }: Relation) {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: ({ id, isOn }: { id: string; isOn: boolean }) => {
      const send = isOn ? api.linkRecords : api.unlinkRecords
      return way === 'out'
        ? send({ object: object.key, id: record.id, field: field.key, to: [id] })
        : send({ object: other!.key, id, field: field.key, to: [record.id] })
    },
    onSuccess: ({ change_set_id }, { isOn }) => saidAndUndoable(isOn ? 'Linked.' : 'Unlinked.', change_set_id),
    onError: (error, { isOn }) => complain(isOn ? 'This was not linked' : 'This was not unlinked', error),
    onSettled: () => Promise.all([object.key, other?.key ?? object.key].map((one) => recordsChanged(client, one))),
  })
  return {
    link: (id: string) => change.mutate({ id, isOn: true }),
    unlink: (id: string) => change.mutate({ id, isOn: false }),
    pendingId: change.isPending ? change.variables.id : undefined,
  }
}
