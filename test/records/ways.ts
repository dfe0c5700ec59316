// Every way to see records, each as the IDs that it shows.
import { type Filter, print } from '../../contract/filter/index.ts'
import { ApiError } from '../../web/client/api.ts'
import type { Api } from '../app.ts'
import type { mcpFor } from '../mcp.ts'

type Mcp = Awaited<ReturnType<typeof mcpFor>>
type Row = { id: string }
export const idsOf = (records: Row[]) => records.map(({ id }) => id).toSorted()

/** Refused is the same as empty here. */
const orNothing = <T>(call: Promise<T>, nothing: T) =>
  call.catch((error) => {
    if (error instanceof ApiError && error.problem.status < 500) return nothing
    throw error
  })

/** `ids`: of all records, visible or not. */
export function waysTo(api: Api, key: string, { legacy }: Mcp, object: string, ids: string[]) {
  const result = async (method: string, params: object) => (await legacy(key, method, params)).rpc.result ?? {}
  const tool = async (name: string, args: object) =>
    ((await result('tools/call', { name, arguments: args })) as { structuredContent?: { records?: Row[] } })
      .structuredContent?.records ?? []
  const only = async (isSeen: (id: string) => Promise<boolean>) => {
    const seen = await Promise.all(ids.map(isSeen))
    return ids.filter((_, i) => seen[i]).toSorted()
  }
  const resource = (end: string) =>
    only(async (id) => 'contents' in (await result('resources/read', { uri: `crm://${object}/${id}${end}` })))
  const nothing = { records: [] }
  return {
    list: async (filter?: Filter) => {
      const seen: Row[] = []
      for (let cursor: string | undefined; ; ) {
        const question = { object, filter: filter && print(filter), limit: 30, cursor }
        const page = await orNothing(api.listRecords(question), { ...nothing, next_cursor: null } as never)
        seen.push(...page.records)
        if (!page.next_cursor) return idsOf(seen)
        cursor = page.next_cursor
      }
    },
    query: async (filter?: Filter) =>
      idsOf(
        (await orNothing(api.queryRecords({ object, filter: filter as never, limit: 100 }), nothing as never)).records,
      ),
    queryTool: async (filter?: Filter) => idsOf(await tool('query_records', { object, filter, limit: 100 })),
    get: () =>
      only((id) =>
        orNothing(
          api.getRecord({ object, id }).then(() => true),
          false,
        ),
      ),
    getTool: () => only(async (id) => (await tool('get_records', { object, ids: [id] })).length > 0),
    filterById: async () =>
      idsOf(
        (
          await orNothing(
            api.queryRecords({ object, filter: { field: 'id', op: 'in', value: ids } as never, limit: 100 }),
            nothing as never,
          )
        ).records,
      ),
    resource: () => resource(''),
    timeline: () => resource('/timeline'),
    completion: async () => {
      const ref = { type: 'ref/resource', uri: 'crm://{object}/{id}' }
      const given = { ref, argument: { name: 'id', value: '' }, context: { arguments: { object } } }
      const { completion } = (await result('completion/complete', given)) as { completion?: { values: string[] } }
      return (completion?.values ?? []).toSorted()
    },
  }
}
