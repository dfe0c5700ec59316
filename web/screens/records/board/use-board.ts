// What the columns of a board are, and which records each of them shows.
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Filter, print } from '../../../../contract/filter/index.ts'
import type { ObjectColor } from '../../../../contract/objects.ts'
import { api } from '../../../client/api.ts'
import { askedFields, type Column, writeColumns } from '../../../records/list-search.ts'
import { recordsChangedSoon } from '../../../records/record-cache.ts'
import { type Question, type RecordPage, type RecordShape, recordPagesQuery } from '../../../records/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/schema.ts'
import { useUpdateRecord, type Values } from '../../../records/update-record.ts'
import { complain } from '../../../ui/notices.tsx'
import { usualColumns } from '../list/use-columns.ts'
import type { ListState } from '../list/use-list-state.ts'

/** `value`: what a card gets that is moved here; null: none. */
export type BoardColumn = { key: string; value: string | null; label: string; color?: ObjectColor; question: Question }

/** Fields by whose values a board can have columns. */
export const boardFields = (object: ObjectShape) =>
  object.columns.filter(({ type, is_multi }) => (type === 'select' || type === 'user') && !is_multi)

/** The one that was chosen, or the stage, the status, or whatever comes first. */
export function boardField(object: ObjectShape, state: Pick<ListState, 'groupBy'>): FieldShape | undefined {
  const fields = boardFields(object)
  const chosen = fields.find(({ key }) => key === state.groupBy?.field)
  const stage = fields.find(({ options }) => options?.some(({ kind }) => kind))
  return chosen ?? stage ?? fields.find(({ key }) => key === 'status') ?? fields[0]
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

export const conditionOf = (field: FieldShape, value: string | null): Filter =>
  value === null ? { field: field.key, op: 'is_empty' } : { field: field.key, op: 'eq', value }

const mostFields = 5
const inCards = new Set([
  'amount',
  'organization',
  'expected_close',
  'owner',
  'due_at',
  'assignee',
  'company_name',
  'job_title',
])

/** The fields of a card: those that were chosen, otherwise the few that matter most. */
export function cardFields(object: ObjectShape, columns: Column[], grouped: FieldShape): FieldShape[] {
  const isUsual = writeColumns(columns) === writeColumns(usualColumns(object))
  const fields = columns.flatMap(({ key }) => object.byKey.get(key) ?? [])
  const shown = fields.filter(({ key }) => key !== 'title' && key !== grouped.key)
  if (!isUsual) return shown
  const best = shown.filter(({ key }) => inCards.has(key))
  return (object.is_built_in && best.length ? best : shown).slice(0, mostFields)
}

/** Where a card is put down: in which column, above and below which cards. */
export type Place = { column: BoardColumn; above?: string | undefined; below?: string | undefined }

/** Moves a card: on screen at once, then in the record, then in the order of the board. */
export function useMoveCard(object: ObjectShape, field: FieldShape, all: BoardColumn[], state: ListState) {
  const client = useQueryClient()
  const { mutateAsync } = useUpdateRecord(object.key, {
    said: ({ id, values }) => `${titles.get(id) ?? object.label} moved to ${labelOf(all, values[field.key])}.`,
    isAnnounced: true,
  })
  return async (record: RecordShape, from: BoardColumn, to: Place, change = mutateAsync as Change) => {
    titles.set(record.id, String(record.title))
    await client.cancelQueries({ queryKey: ['records', object.key, 'pages'] })
    const value = to.column.value
    const isOther = from.key !== to.column.key
    takeOut(client, from.question, record.id)
    putIn(client, to.column.question, { ...record, [field.key]: value }, to)
    try {
      if (isOther) await change({ id: record.id, values: { [field.key]: value } })
      if (isManual(state) && (to.above || to.below)) {
        const { above, below } = to
        await api.placeRecord({ object: object.key, id: record.id, above, below }).catch((error) => {
          complain('The order was not saved', error)
        })
      }
    } catch {
      // What was refused has been said; the reload puts the card back.
    } finally {
      recordsChangedSoon(client, object.key)
    }
  }
}

type Change = (update: { id: string; values: Values }) => Promise<unknown>
const titles = new Map<string, string>()
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
