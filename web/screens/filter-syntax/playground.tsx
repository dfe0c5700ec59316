import { Select } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import { memo, useRef } from 'react'
import type { Scope } from '../../../contract/filter/index.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { api } from '../../client/api.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { FilterBox } from '../../records/filter/filter-box.tsx'
import { FilterChips } from '../../records/filter/group.tsx'
import { type Reading, read, useScope } from '../../records/filter/tree.ts'
import { useFilterText } from '../../records/filter/use-filter-text.ts'
import { Panel } from '../../ui/basics/layout.tsx'
import { Loaded } from '../../ui/basics/loaded.tsx'
import { Failure } from '../../ui/basics/states.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import { CopyAs } from './copy-as.tsx'
import css from './filter-syntax.module.css'
import { useTriedFilter, useTriedObject, useTryOut } from './try-out.tsx'

// Hundreds of chips would be no easier to read, and slow down what is typed above them.
const longestAsChips = 1000

/** A filter to play with: what it means, how many records fit and which, and how to ask the same elsewhere. */
export const Playground = memo(function Playground({ schema }: { schema: ObjectShape[] }) {
  const object = useTriedObject(schema)
  const scope = useScope(object.key)
  const box = useRef<HTMLDivElement>(null)
  const tryOut = useTryOut()
  const given = useTriedFilter()
  const { text, version, type, replace } = useFilterText(given, (filter, typing) =>
    tryOut({ object: object.key, filter }, { typing }),
  )
  const reading = read(text, scope)
  const typeAfterPause = useDebouncedCallback(type, 250)
  return (
    <section aria-label="Playground" data-playground>
      <div className={css.question}>
        <Select
          aria-label="Object"
          data={schema.map(({ key, label_plural }) => ({ value: key, label: label_plural }))}
          value={object.key}
          searchable={schema.length > 10}
          onChange={(key) => key && tryOut({ object: key, filter: text })}
        />
        <div ref={box}>
          <FilterBox
            key={version}
            object={object.key}
            value={text}
            isLive
            onDraft={typeAfterPause}
            onChange={type}
            hint={`Type a filter, such as ${exampleOf(scope)}`}
          />
        </div>
      </div>
      {reading.filter && text.length <= longestAsChips && (
        <div className={css.chips}>
          <span>{text ? 'As chips' : 'Or start with a chip'}</span>
          <FilterChips
            scope={scope}
            filter={reading.filter}
            onChange={replace}
            onText={() => box.current?.querySelector<HTMLElement>('[role=textbox]')?.focus()}
          />
        </div>
      )}
      <Outcome object={object} reading={reading} />
    </section>
  )
})

function exampleOf({ objects, root }: Scope) {
  const choice = objects[root]?.fields.find(({ options }) => options?.length)
  return choice ? `${choice.key} = ${choice.options![0]!.key}` : 'created_at > -7d'
}

/** What a filter means, and what it finds. While one types on, the last whole filter stays, paler. */
function Outcome({ object, reading }: { object: ObjectShape; reading: Reading }) {
  const { text: filter, faults } = reading
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['records', object.key, 'filter-check', filter],
    queryFn: ({ signal }) => api.validateFilter({ object: object.key, filter }, { signal }),
    enabled: !faults.length,
    placeholderData: (before, query) => (query?.queryKey[1] === object.key ? keepPreviousData(before) : undefined),
  })
  if (error) return <Failure error={error} onRetry={refetch} busy={isFetching} />
  const isOld = faults.length > 0 || !data?.is_valid
  if (!data?.is_valid || data.text === null) {
    const isWrong = faults.length > 0 || data?.is_valid === false
    return <p className={css.waiting}>{isWrong && 'Fix the underlined part to see results.'}</p>
  }
  return (
    <div className={css.outcome} data-old={isOld || undefined}>
      <div>
        <p className={css.explanation} dir="auto">
          {data.explanation}
        </p>
        <Matches object={object} filter={data.text} />
      </div>
      <CopyAs question={{ object: object.key, text: data.text, json: data.json }} />
    </div>
  )
}

const mostShown = 8

/** How many records fit, and the first of them. */
function Matches({ object, filter }: { object: ObjectShape; filter: string }) {
  const { key } = object
  const matches = useQuery({
    queryKey: ['records', key, 'tried', filter],
    queryFn: async ({ signal }) => {
      const question = { object: key, filter }
      const first = api.queryRecords({ ...question, limit: mostShown, fields: ['title'] }, { signal })
      const [{ records }, total] = await Promise.all([first, api.countRecords(question, { signal })])
      return { records, ...total }
    },
    placeholderData: (before, query) => (query?.queryKey[1] === key ? keepPreviousData(before) : undefined),
  })
  return (
    <Loaded query={matches} what="matches" height={160}>
      {({ count, is_exact, records }) => (
        <div data-stale={matches.isPlaceholderData || undefined} className={css.matches}>
          <div className={css.count}>
            <p role="status">
              <strong>{is_exact ? asNumber(count) : `More than ${asNumber(count)}`}</strong>{' '}
              {inSentence(count === 1 ? object.label : object.label_plural)}
            </p>
            <Link to="/records/$object" params={{ object: key }} search={filter ? { filter } : {}}>
              Open as a list
              <ArrowUpRight size={14} />
            </Link>
          </div>
          {records.length > 0 ? (
            <Panel as="ul" className={css.found} aria-label="First matches">
              {records.map((record) => (
                <li key={record.id}>
                  <Link to="/records/$object/$id" params={{ object: key, id: record.id }}>
                    <bdi>{String(record.title || 'Untitled')}</bdi>
                  </Link>
                </li>
              ))}
            </Panel>
          ) : (
            <Panel as="p" sunken className={css.none}>
              No matches. Remove a condition, or try another value.
            </Panel>
          )}
        </div>
      )}
    </Loaded>
  )
}
