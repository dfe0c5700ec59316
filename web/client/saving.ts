import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Under which key changes of what a query shows are on their way, if they are shown before the server has them. */
export const savingKey = (queryKey: QueryKey) => ['saving', ...queryKey]

/** How many there are of them. Until none is left, an answer of the server would hide what was just chosen. */
export const savesOf = (client: QueryClient, queryKey: QueryKey) =>
  client.isMutating({ mutationKey: savingKey(queryKey), exact: true })

/** Fetches again what others have changed. What is being saved is fetched after the last save. */
export const reload = (client: QueryClient, queryKey: QueryKey) =>
  client.invalidateQueries({ queryKey, predicate: (query) => !savesOf(client, query.queryKey) })
