import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { recordKey, recordsChanged } from './record-cache.ts'
import type { Values } from './update-record.ts'

/** Field errors of a refusal have the path `records.0.<field>`: the form shows them. */
export function useCreateRecord(object: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (values: Values) => {
      const { records, change_set_id } = await api.createRecords({ object, records: [values], return: 'record' })
      return { record: records[0]!, change_set_id }
    },
    onSuccess: ({ record }) => {
      client.setQueryData(recordKey(object, record.id), record)
      void recordsChanged(client, object)
    },
  })
}
