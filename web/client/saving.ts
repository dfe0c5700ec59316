import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Under which key changes of what a query shows are on their way, if they are shown before the server has them. */
export const savingKey = (queryKey: QueryKey) => ['saving', ...queryKey]

/** How many there are of them. Until none is left, an answer of the server would hide what was just chosen. */
export const savesOf = (client: QueryClient, queryKey: QueryKey) =>
  client.isMutating({ mutationKey: savingKey(queryKey), exact: true })

/**
 * Called when a save has settled: the last one fetches what is shown. No one waits for the answer: the save would count as
 * on its way until then, and what others change meanwhile would not be fetched.
 */
export function fetchAfterSaves(client: QueryClient, queryKey: QueryKey, others: QueryKey[] = []) {
  if (savesOf(client, queryKey) === 1)
    for (const key of [queryKey, ...others]) void client.invalidateQueries({ queryKey: key })
}

/** Fetches again what others have changed. What is being saved is fetched after the last save. */
export const reload = (client: QueryClient, queryKey: QueryKey) =>
  client.invalidateQueries({ queryKey, predicate: (query) => !savesOf(client, query.queryKey) })
