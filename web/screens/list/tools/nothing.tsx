import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { Contact, FilterX, Upload } from 'lucide-react'
import { Fragment, Suspense } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { ApiError, api } from '../../../client/api.ts'
import { askNow } from '../../../client/connection.ts'
import { useStore } from '../../../client/store.ts'
import { fieldEdits } from '../../../records/data/field-edits.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { Offline } from '../../../records/forms/offline.tsx'
import { RecordPanel } from '../../../records/lists/panel.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { ButtonLink } from '../../../ui/basics/links.tsx'
import { Failure, Message } from '../../../ui/basics/states.tsx'
import { ResizableColumn } from '../../../ui/page/columns.tsx'
import css from './list.module.css'
import { NewButton } from './object-title.tsx'

type Props = { object: ObjectShape; state: ListState; error: unknown; onRetry: () => void; busy: boolean }

/** Instead of rows: nothing there yet, nothing that matches, or a failure. */
export function Nothing({ object, state, error, onRetry, busy }: Props) {
  const many = inSentence(object.label_plural)
  const clear = (
    <Button variant="default" onClick={state.clear}>
      {state.q && !state.filter ? 'Clear search' : 'Clear all filters'}
    </Button>
  )
  const isMisfit = error instanceof ApiError && error.problem.code === 'invalid_input'
  return (
    <div className={css.nothing}>
      {isMisfit ? (
        <Message icon={FilterX} title="This list cannot be shown" action={clear}>
          {error.problem.detail}
        </Message>
      ) : error ? (
        <Failure error={error} onRetry={onRetry} busy={busy} />
      ) : state.asked ? (
        <Message icon={FilterX} title={`No ${many} match`} action={clear}>
          {state.q ? `No ${many} in this list contain “${state.q}”.` : 'Remove a condition, or clear all filters.'}
          {state.q && <Similar object={object} text={state.q} />}
        </Message>
      ) : (
        <Message
          icon={Contact}
          title={`No ${many} yet`}
          action={
            object.rights.create && (
              <div className={css.start}>
                <NewButton object={object} />
                <ButtonLink
                  variant="default"
                  size="xs"
                  leftSection={<Upload size={14} />}
                  to="/import/$object"
                  params={{ object: object.key }}
                >
                  Import a file
                </ButtonLink>
              </div>
            )
          }
        >
          Add them here or import them from a file. Records your agents add appear here too.
        </Message>
      )}
    </div>
  )
}

/** What was perhaps meant: the search of all records forgives typos, a list shows only what matches. */
function Similar({ object, text }: { object: ObjectShape; text: string }) {
  const { data } = useQuery({
    queryKey: ['records', object.key, 'similar', text],
    queryFn: ({ signal }) => api.searchRecords({ q: text, objects: [object.key], limit: 5 }, { signal }),
    enabled: text.trim().length > 2,
  })
  if (!data?.items.length) return null
  return (
    <span className={css.similar}>
      Did you mean{' '}
      {data.items.map(({ id, title }, i) => (
        <Fragment key={id}>
          {i > 0 && (i === data.items.length - 1 ? ' or ' : ', ')}
          <Link to="/records/$object/$id" params={{ object: object.key, id }}>
            <bdi>{title}</bdi>
          </Link>
        </Fragment>
      ))}
      ?
    </span>
  )
}

/** While the server cannot be reached: what was entered waits in its cells, and is sent when it is back. */
export function Unsent() {
  const waiting = [...useStore(fieldEdits).values()].filter(({ isWaiting }) => isWaiting).length
  const again = (
    <Button size="compact-sm" variant="default" onClick={askNow}>
      Try again
    </Button>
  )
  return (
    <Offline isKept={waiting > 0} action={waiting > 0 && again}>
      {waiting
        ? `${waiting === 1 ? 'One change is' : `${waiting} changes are`} kept here and not saved yet.`
        : 'You can keep reading and editing.'}
    </Offline>
  )
}

type OpenRecordProps = { object: ObjectShape; state: ListState; rows: RecordShape[]; id: string; isNarrow: boolean }

/** A record beside its list; on a phone, a page of its own. */
export function OpenRecord({ object, state, rows, id, isNarrow }: OpenRecordProps) {
  if (isNarrow) return <Navigate to="/records/$object/$id" params={{ object: object.key, id }} replace />
  const place = rows.findIndex((one) => one.id === id)
  const goTo = (row: number) => {
    const next = place < 0 ? undefined : rows[row]
    return next && (() => state.open(next.id))
  }
  return (
    <ResizableColumn name="record" label="Width of the record" edge="start" initial={38} narrowest={380}>
      <aside className={css.beside} aria-label="Record">
        <Suspense fallback={<Skeleton height={24} m={24} width="60%" />}>
          <RecordPanel
            object={object.key}
            id={id}
            onPrevious={goTo(place - 1)}
            onNext={goTo(place + 1)}
            onClose={() => state.open(undefined)}
          />
        </Suspense>
      </aside>
    </ResizableColumn>
  )
}
