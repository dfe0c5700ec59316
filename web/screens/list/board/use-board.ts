// What the columns of a board are, and which records each of them shows.
import { type InfiniteData, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { type Condition, type Filter, print } from '../../../../contract/filter/index.ts'
import type { ObjectColor } from '../../../../contract/objects.ts'
import { api } from '../../../client/api.ts'
import { recent } from '../../../client/recent.ts'
import { builtInField } from '../../../records/data/built-in.ts'
import { isStageField, usePipelines } from '../../../records/data/pipelines.ts'
import { pagesKey, recordsChanged, recordsChangedSoon, whileSaving } from '../../../records/data/record-cache.ts'
import {
  aggregateQuery,
  type Question,
  type RecordPage,
  type RecordShape,
  recordPagesQuery,
} from '../../../records/data/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { useUpdateRecord } from '../../../records/data/update-record.ts'
import { asRoundMoney } from '../../../records/data/value-text.ts'
import { allOf, grouped, read, useScope } from '../../../records/filter/tree.ts'
import { useMoveStage } from '../../../records/forms/move-stage.tsx'
import { measuresFor, sumIn, usualSum } from '../../../records/lists/calculations.ts'
import { askedFields } from '../../../records/lists/list-search.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { complain } from '../../../ui/basics/notices.tsx'

/** `value`: what a card gets that is moved here; null: none. */
export type BoardColumn = { key: string; value: string | null; label: string; color?: ObjectColor; question: Question }

/** A board of stages shows one pipeline: the one that the filter names, or the first. Nothing: the board is about no stages. */
export function usePipeline(object: ObjectShape, state: ListState, field: FieldShape | undefined) {
  const scope = useScope(object.key)
  const inUse = usePipelines().filter(({ is_archived }) => !is_archived)
  const pipelineField = builtInField(object, 'pipeline')
  if (!field || !pipelineField || !isStageField(object, field)) return undefined
  const { filter } = read(state.filter, scope)
  const parts = filter ? allOf(filter).parts.map((part) => part.filter) : []
  const isAbout = (part: Filter): part is Condition => 'field' in part && part.field === pipelineField.key
  const named = parts.find((part) => isAbout(part) && part.op === 'eq')
  const pipeline = inUse.find(({ key }) => named && isAbout(named) && named.value === key) ?? inUse[0]
  const condition = (key: string): Filter => ({ field: pipelineField.key, op: 'eq', value: key })
  return {
    pipelines: inUse,
    pipeline,
    /** In addition to the filter, unless there is nothing to choose from. */
    condition: pipeline && !named && inUse.length > 1 ? condition(pipeline.key) : undefined,
    choose: (key: string) =>
      state.change({ filter: print(grouped('and', [...parts.filter((part) => !isAbout(part)), condition(key)])) }),
  }
}

export type BoardPipeline = ReturnType<typeof usePipeline>

/** The filter and the search of the list, and the pipeline that is shown. */
export const boardFilter = (state: ListState, chosen: BoardPipeline) => {
  const here = chosen?.condition && print(chosen.condition)
  if (!here) return state.asked
  return state.asked ? `(${state.asked}) and ${here}` : here
}

const manual = ['$manual']
export const isManual = (state: ListState) => state.sort.length === 0

export function useQuestion(object: ObjectShape, state: ListState) {
  const { asked, sort, columns } = state
  return useMemo(() => {
    const fields = askedFields(columns.filter(({ key }) => object.byKey.has(key)))
    return (condition: Filter): Question => {
      const here = print(condition)
      return {
        object: object.key,
        filter: asked ? `(${asked}) and ${here}` : here,
        sort: sort.length ? sort : manual,
        limit: 50,
        ...(fields && { fields }),
      }
    }
  }, [object, asked, sort, columns])
}

export type Total = { count: number; sum: string | undefined; isWithoutLost: boolean }
export type Totals = Map<string, Total>

/**
 * How many records each column has, and what they amount to: without lost deals, unless they are wanted. Nothing until the
 * answer is there.
 */
export function useTotals(
  object: ObjectShape,
  filter: string,
  field: FieldShape,
  isLostToo: boolean,
): Totals | undefined {
  const money = object.fields.find(({ type }) => type === 'money')?.key
  const calculation = isLostToo ? 'sum' : usualSum(object)
  const { data } = useQuery({
    ...aggregateQuery({
      object: object.key,
      filter: filter || undefined,
      measures: ['count', ...(money ? measuresFor(money, calculation) : [])],
      group_by: [field.key],
    }),
    placeholderData: keepPreviousData,
  })
  return useMemo(
    () =>
      data &&
      new Map(
        data.groups.map(({ keys: [key], values, unconverted }): [string, Total] => {
          const { value, isWithoutLost } = money ? sumIn(values, money, calculation) : {}
          const sum = money && sumText(value, data.currency, unconverted)
          return [String(key ?? ''), { count: Number(values.count), sum, isWithoutLost: isWithoutLost ?? false }]
        }),
      ),
    [data, money, calculation],
  )
}

type Unconverted = { currency: string; sum: number }[]

/** Amounts without an exchange rate stand beside the sum, each in its own currency. */
function sumText(value: unknown, currency: string | null, unconverted: Unconverted) {
  const own = currency && Number(value) ? [asRoundMoney(Number(value), currency)] : []
  return [...own, ...unconverted.map((one) => asRoundMoney(one.sum, one.currency))].join(' + ') || undefined
}

/** Where a card is put down: in which column, above and below which cards. */
export type Place = { column: BoardColumn; above?: string | undefined; below?: string | undefined }

/** Tells whether the record changed. */
type Change = (record: RecordShape, value: string | null) => Promise<boolean>

/** Moves a card: on screen at once, then in the record, then in the order of the board. */
export function useMoveCard(object: ObjectShape, field: FieldShape, all: BoardColumn[], state: ListState) {
  const client = useQueryClient()
  const titles = useRef(recent<string>(100))
  const { mutateAsync } = useUpdateRecord(object.key, {
    said: ({ id, values }) => `${titles.current.get(id) ?? object.label} moved to ${labelOf(all, values[field.key])}.`,
    isAnnounced: true,
  })
  const stage = useMoveStage()
  const change: Change = (record, value) => {
    if (isStageField(object, field) && value !== null) return stage.move(record, value)
    titles.current.set(record.id, String(record.title))
    return mutateAsync({ id: record.id, values: { [field.key]: value } }).then(
      () => true,
      () => false,
    )
  }
  const move = async (record: RecordShape, from: BoardColumn, to: Place) => {
    await client.cancelQueries({ queryKey: pagesKey(object.key) })
    const isOther = from.key !== to.column.key
    takeOut(client, from.question, record.id)
    putIn(client, to.column.question, record, to)
    const { above, below } = to
    const isMoved = await whileSaving(object.key, async () => {
      const isChanged = !isOther || (await change(record, to.column.value))
      if (isChanged && isManual(state) && (above || below))
        await api
          .placeRecord({ object: object.key, id: record.id, above, below })
          .catch((error) => complain('The order was not saved', error))
      return isChanged
    })
    // What was refused goes back to its column.
    if (isMoved) recordsChangedSoon(client, object.key)
    else await recordsChanged(client, object.key)
  }
  return { move, dialog: stage.dialog }
}

const labelOf = (all: BoardColumn[], value: unknown) => all.find((one) => one.value === value)?.label ?? String(value)

type Pages = InfiniteData<RecordPage, string | undefined>
type Client = ReturnType<typeof useQueryClient>

function takeOut(client: Client, question: Question, id: string) {
  const without = (page: RecordPage) => ({ ...page, records: page.records.filter((one) => one.id !== id) })
  client.setQueryData<Pages>(recordPagesQuery(question).queryKey as never, (old) =>
    old ? { ...old, pages: old.pages.map(without) } : old,
  )
}

function putIn(client: Client, question: Question, record: RecordShape, { above, below }: Place) {
  client.setQueryData<Pages>(recordPagesQuery(question).queryKey as never, (old) => {
    if (!old?.pages.length) return old
    const at = old.pages.findIndex(({ records }) => records.some(({ id }) => id === above || id === below))
    const pages = old.pages.map((page, i) => {
      if (i !== Math.max(0, at)) return page
      const next = page.records.findIndex(({ id }) => id === above)
      const before = page.records.findIndex(({ id }) => id === below)
      const index = next >= 0 ? next : before >= 0 ? before + 1 : 0
      return { ...page, records: page.records.toSpliced(index, 0, record) }
    })
    return { ...old, pages }
  })
}
