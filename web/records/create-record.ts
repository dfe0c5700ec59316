import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../client/api.ts'
import { complain } from '../ui/notices.tsx'
import { recordKey, recordsChanged } from './record-cache.ts'
import type { RecordShape } from './records-api.ts'
import type { Values } from './update-record.ts'

type Created = { record: RecordShape; change_set_id: string | null }

/**
 * Field errors of a refusal have the path `records.0.<field>`: the form shows them, or a notice if the form was closed.
 * `onCreated` is called even if the form was closed before the answer came.
 */
export function useCreateRecord(object: string, onCreated: (created: Created) => void = () => {}) {
  const client = useQueryClient()
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useMutation({
    mutationFn: async (values: Values): Promise<Created> => {
      const { records, change_set_id } = await api.createRecords({ object, records: [values], return: 'record' })
      return { record: records[0]!, change_set_id }
    },
    onSuccess: (created) => {
      client.setQueryData(recordKey(object, created.record.id), created.record)
      void recordsChanged(client, object)
      onCreated(created)
    },
    onError: (error) => {
      if (!isShown.current) complain('Not saved. Your draft is still there', error)
    },
  })
}
