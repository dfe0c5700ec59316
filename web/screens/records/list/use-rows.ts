import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { lastChangeOf, onRecordsChanged } from '../../../records/record-cache.ts'
import type { Question, RecordShape } from '../../../records/records-api.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { append, countOf, fetchPage, firstRows, type Loaded, replaced, rowsKey } from './loaded-rows.ts'

const refreshAfterMs = 120
/** Rows that did not come are asked for again by themselves: one may wait for them at the end of the list. */
const againAfterMs = 3000
/** So many rows before the end of what is there, the next page is asked for: more for those who go far. */
const ahead = (first: number) => Math.min(500, 150 + first)
const none: RecordShape[] = []

export type Rows = ReturnType<typeof useRows>

/**
 * The rows of one question, from its beginning or, `backwards`, from its end: then they are turned around, and more
 * come above. While another question is under way the last answer stays in sight, marked as old.
 */
export function useRows(object: ObjectShape, question: Question) {
  const client = useQueryClient()
  const key = rowsKey(question)
  const name = JSON.stringify(key)
  const { data } = useQuery<Loaded>({ queryKey: key, queryFn: skipToken })
  const [error, setError] = useState<{ name: string; error: unknown }>()
  const [isFetching, setFetching] = useState(false)
  const busy = useRef<string>(undefined)
  const inSight = useRef<[number, number]>([0, 0])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const again = useRef<ReturnType<typeof setTimeout>>(undefined)

  const read = () => client.getQueryData<Loaded>(key)
  const write = (loaded: Loaded) => client.setQueryData<Loaded>(key, loaded)

  const attempt = async (act: () => Promise<void>) => {
    if (busy.current === name) return
    busy.current = name
    startTransition(() => setFetching(true))
    try {
      await act()
      setError(undefined)
    } catch (error) {
      setError({ name, error })
      again.current = setTimeout(() => latest.current.reach(), againAfterMs)
      return
    } finally {
      if (busy.current === name) {
        busy.current = undefined
        startTransition(() => setFetching(false))
      }
    }
    // Whoever came near the end meanwhile was not heard.
    if (latest.current.name === name) latest.current.reach()
  }

  const more = () =>
    attempt(async () => {
      const last = read()?.pages.at(-1)
      if (!last) return void (await client.fetchQuery(firstRows(question)))
      if (last.next_cursor !== null) write(append(read(), await fetchPage(question, last.next_cursor)))
    })

  /** Asks for the next page when one is near the end of what is there. */
  const reach = () => {
    const loaded = read()
    const [first, last] = inSight.current
    if (!loaded || loaded.pages.at(-1)?.next_cursor === null) return
    if (last > countOf(loaded) - ahead(first)) void more()
  }

  const refresh = () =>
    attempt(async () => {
      const loaded = read()
      if (!loaded || client.isMutating()) return
      const [from, to] = pagesAt(loaded, inSight.current)
      if (loaded.pages.slice(from, to + 1).every(({ at }) => at >= lastChangeOf(object.key))) return
      const fresh = []
      let cursor = loaded.pages[from]?.cursor
      for (let i = from; i <= to; i++) {
        const page = await fetchPage(question, cursor)
        fresh.push(page)
        if (page.next_cursor === null) break
        cursor = page.next_cursor
      }
      // What was written meanwhile is newer than this answer; another one follows it.
      if (!client.isMutating()) write(replaced(read() ?? loaded, from, fresh))
    })

  const latest = useRef({ name, more, refresh, reach })
  latest.current = { name, more, refresh, reach }
  const soon = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void latest.current.refresh(), refreshAfterMs)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the whole question
  useEffect(() => {
    if (read()) return soon()
    inSight.current = [0, 0]
    void latest.current.more()
  }, [name])
  useEffect(() => {
    const stop = onRecordsChanged(object.key, soon)
    return () => {
      stop()
      for (const one of [timer, again]) clearTimeout(one.current)
    }
  }, [object.key, soon])

  const answer = useMemo(() => data && shownOf(data, question.backwards), [data, question.backwards])
  const { shown, isOld } = useUnhurried(name, answer)

  /** Tells which rows are on screen, by their place in `rows`. */
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the whole question
  const seen = useCallback(
    (first: number, last: number) => {
      const loaded = client.getQueryData<Loaded>(key)
      if (!loaded) return
      const count = countOf(loaded)
      inSight.current = question.backwards ? [count - 1 - last, count - 1 - first] : [first, last]
      latest.current.reach()
      const [from, to] = pagesAt(loaded, inSight.current)
      if (loaded.pages.slice(from, to + 1).some(({ at }) => at < lastChangeOf(object.key))) soon()
    },
    [name, client, soon],
  )

  return {
    rows: shown?.rows ?? none,
    isWhole: shown?.isWhole ?? false,
    isFromEnd: shown?.isFromEnd ?? false,
    isLoading: shown === undefined,
    isOld,
    isFetching,
    error: error?.name === name ? error.error : undefined,
    seen,
    retry: () => void more(),
  }
}

type Shown = { rows: RecordShape[]; isWhole: boolean; isFromEnd: boolean }

/**
 * Until another question has its answer, and until that is drawn, the last one stays: rows are drawn bit by bit, so that
 * whoever types on need not wait for them.
 */
function useUnhurried(name: string, answer: Shown | undefined) {
  const [drawn, setDrawn] = useState<string>()
  const last = useRef<Shown>(undefined)
  const isNew = answer !== undefined && drawn !== name
  useEffect(() => {
    if (!isNew) return
    if (last.current) startTransition(() => setDrawn(name))
    else setDrawn(name)
  }, [isNew, name])
  const isOld = last.current !== undefined && (isNew || answer === undefined)
  const shown = isOld ? last.current : answer
  useEffect(() => {
    last.current = shown
  })
  return { shown, isOld }
}

function shownOf({ pages }: Loaded, isFromEnd = false): Shown {
  const rows = pages.flatMap(({ records }) => records)
  return { rows: isFromEnd ? rows.reverse() : rows, isWhole: pages.at(-1)?.next_cursor === null, isFromEnd }
}

/** The pages that hold these rows, counted as they were fetched. */
function pagesAt({ pages }: Loaded, [first, last]: [number, number]): [number, number] {
  let end = 0
  const ends = pages.map(({ records }) => (end += records.length))
  const at = (row: number) =>
    Math.max(
      0,
      ends.findIndex((after) => row < after),
    )
  const from = at(Math.max(0, first))
  return [from, last >= end ? pages.length - 1 : Math.max(from, at(last))]
}
