import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { type ObjectShape, useSchema } from '../../../records/data/schema.ts'
import {
  type MappedColumn,
  mappedFields,
  type Preview,
  previewQuery,
  useImportFieldsOf,
  useImportInput,
} from '../choices.ts'
import type { Meanings } from '../unknown-values.tsx'
import type { Move, MovedFile } from './choices.ts'

export type Plan = Output<typeof contract.planMove>

const planQuery = (ids: string[]) =>
  queryOptions({
    queryKey: ['move plan', ids],
    queryFn: () => api.planMove({ file_ids: ids }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A file with what the plan says of it. */
export type Planned = MovedFile & {
  plan: Plan['files'][number]
  /** Undefined: it is left out. */
  into: ObjectShape | undefined
  preview: Preview | undefined
  error: Error | null
  /** Reads all files again that could not be read. */
  retry: () => void
}

/** The files in the order in which they are imported. */
export function usePlan({ files }: Move) {
  const objects = useSchema()
  const query = useQuery(planQuery(files.map(({ id }) => id)))
  const known = new Map(files.map((file) => [file.id, file]))
  const placed = (query.data?.files ?? []).flatMap((plan) => {
    const file = known.get(plan.file_id)
    if (!file) return []
    const key = file.object === undefined ? plan.object : file.object
    return [{ ...file, plan, into: objects.find((object) => object.key === key && object.rights.create) }]
  })
  const moving = placed.filter(({ into }) => into)
  const previews = useQueries({ queries: moving.map(({ into, id, choices }) => previewQuery(into!, id, choices)) })
  const byId = new Map(moving.map(({ id }, i) => [id, previews[i]!]))
  const retry = () => {
    for (const { isError, refetch } of previews) if (isError) void refetch()
  }
  const planned: Planned[] = placed.map((file) => {
    const { data: preview, error = null } = byId.get(file.id) ?? {}
    return { ...file, preview, error, retry }
  })
  return { query, planned, system: query.data?.system ?? null, users: query.data?.users ?? {} }
}

/** What startMove takes, of the files that are not left out. */
export function useMoveInput() {
  const inputOf = useImportInput()
  const fieldsOf = useImportFieldsOf()
  return (planned: Planned[], users: Plan['users']) => {
    const among = objectsOf(planned)
    return planned.flatMap(({ id, into, preview, choices }) => {
      if (!into || !preview) return []
      const mapped = mappedFields(fieldsOf(into), choices, preview)
      const input = inputOf(into, id, choices, preview, among)
      return [{ ...input, values: withUsers(input.values, mapped, users) }]
    })
  }
}

export const objectsOf = (planned: Planned[]) => planned.flatMap(({ into }) => into?.key ?? [])

/** The IDs of users mean their addresses, and these mean whoever was chosen for them. */
function withUsers(values: Meanings, mapped: MappedColumn[], users: Plan['users']): Meanings {
  const columns = mapped.filter(({ field }) => field.type === 'user').map(({ column }) => column)
  const ofColumn = (chosen: Meanings[string] = {}) => ({
    ...Object.fromEntries(Object.entries(users).map(([id, address]) => [id, chosen[address] ?? address])),
    ...chosen,
  })
  return { ...values, ...Object.fromEntries(columns.map((column) => [column, ofColumn(values[column])])) }
}
