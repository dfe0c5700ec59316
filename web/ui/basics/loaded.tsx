import { Button, Skeleton } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { ApiError } from '../../client/api.ts'
import { Page } from './page.tsx'
import css from './states.module.css'
import { Failure, Missing, PageSkeleton } from './states.tsx'

type Query<Data> = { data: Data | undefined; error: unknown; isFetching: boolean; refetch: () => unknown }

type Around = {
  /** In place of the failure, or around it. */
  failed?: (failure: ReactNode, error: unknown) => ReactNode
} & (
  | {
      /** What is loaded, as screen readers say it: "keys", "the history". */
      what: string
      /** About as high as what comes, so that the page does not jump. */
      height?: number
      /** One part of a page among others: a line is enough. */
      small?: boolean
    }
  | { waiting: ReactNode }
)

type LoadedProps<Data> = Around & { query: Query<Data>; children: (data: Data) => ReactNode }

/** What a query answers. Until then that it is loading, or why it failed and a way to try again. */
export function Loaded<Data>({ query, failed, children, ...around }: LoadedProps<Data>) {
  const { data, error } = query
  if (data !== undefined) return children(data)
  const isSmall = 'small' in around && around.small
  if (!error) {
    if ('waiting' in around) return around.waiting
    const { what, height = isSmall ? 44 : 260 } = around
    return <Skeleton height={height} radius="lg" role="status" aria-label={`Loading ${what}`} />
  }
  const failure = isSmall ? (
    <PartFailed what={around.what} onRetry={query.refetch} busy={query.isFetching} />
  ) : (
    <Failure error={error} onRetry={query.refetch} busy={query.isFetching} />
  )
  return failed ? failed(failure, error) : failure
}

type LoadedPageProps<Data> = Pick<LoadedProps<Data>, 'query' | 'children'> & ComponentProps<typeof Missing>

/** The page of one thing, which may not exist. */
export const LoadedPage = <Data,>({ query, children, ...missing }: LoadedPageProps<Data>) => (
  <Loaded
    query={query}
    waiting={<PageSkeleton />}
    failed={(failure, error) =>
      isMissing(error) ? (
        <Missing {...missing} />
      ) : (
        <Page title={missing.what[0]!.toUpperCase() + missing.what.slice(1)}>{failure}</Page>
      )
    }
  >
    {children}
  </Loaded>
)

type Some<Item> = { items: Item[] } | { records: Item[] }
type List<Item> = Item[] | Some<Item> | { pages: Some<Item>[] }
type More = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }

type LoadedListProps<Item> = Around & {
  query: Query<List<Item>> & Partial<More> & { isPlaceholderData: boolean }
  /** Shown if there is nothing: why, and what to do. */
  empty: ReactNode
  children: (items: Item[]) => ReactNode
}

/** The items that a query answers, as far as they are loaded, with a way to more; paler while another search runs. */
export const LoadedList = <Item,>({ query, empty, children, ...around }: LoadedListProps<Item>) => (
  <Loaded query={query} {...around}>
    {(list) => {
      const items = itemsIn(list)
      if (!items.length && !query.hasNextPage) return empty
      return (
        <div className={css.results} data-stale={query.isPlaceholderData || undefined}>
          {children(items)}
          <LoadMore of={query} mt="md" />
        </div>
      )
    }}
  </Loaded>
)

/** What is loaded of a list so far. */
export const itemsOf = <Item,>({ data }: { data: List<Item> | undefined }) => (data ? itemsIn(data) : [])

function itemsIn<Item>(list: List<Item>): Item[] {
  if (Array.isArray(list)) return list
  if ('pages' in list) return list.pages.flatMap(itemsIn)
  return 'items' in list ? list.items : list.records
}

type LoadMoreProps = { of: Partial<More>; mt?: string; size?: 'sm' | 'compact-sm' }

export const LoadMore = ({ of, ...look }: LoadMoreProps) =>
  of.hasNextPage && (
    <Button variant="default" loading={of.isFetchingNextPage} onClick={() => of.fetchNextPage?.()} {...look}>
      Load more
    </Button>
  )

/** One part of the page failed; the others go on. */
const PartFailed = ({ what, onRetry, busy }: { what: string; onRetry: () => unknown; busy: boolean }) => (
  <div role="alert" className={css.partFailed}>
    <span>The {what} could not be loaded.</span>
    <Button variant="default" size="compact-sm" loading={busy} onClick={() => onRetry()}>
      Retry
    </Button>
  </div>
)

/** It does not exist, or not for this user: which of the two is not told. */
export const isMissing = (error: unknown) =>
  error instanceof ApiError && ['not_found', 'forbidden', 'invalid_input', 'bad_request'].includes(error.problem.code)
