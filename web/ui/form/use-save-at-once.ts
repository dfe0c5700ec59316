import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { fetchAfterSaves, savesOf, savingKey } from '../../client/saving.ts'
import { complain } from '../basics/notices.tsx'

type Settings<Data, Sent> = {
  /** What shows it. */
  queryKey: QueryKey
  apply: (shown: Data, sent: Sent) => Data
  send: (sent: Sent) => Promise<unknown>
  /** Such as "The order was not saved". */
  refused: string
  onSaved?: () => unknown
}

/** Saves a choice: shown at once, so that the next one builds on it; one after the other; taken back when refused. */
export function useSaveAtOnce<Data, Sent>({ queryKey, apply, send, refused, onSaved }: Settings<Data, Sent>) {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: savingKey(queryKey),
    scope: { id: JSON.stringify(queryKey) },
    mutationFn: send,
    onMutate: (sent: Sent) => {
      void client.cancelQueries({ queryKey })
      const before = client.getQueryData<Data>(queryKey)
      if (before !== undefined) client.setQueryData<Data>(queryKey, apply(before, sent))
      return before
    },
    onSuccess: onSaved,
    onError: (error, _, before) => {
      if (savesOf(client, queryKey) === 1) client.setQueryData(queryKey, before)
      complain(refused, error)
    },
    onSettled: () => fetchAfterSaves(client, queryKey),
  })
  return mutate
}
