import { Button } from '@mantine/core'
import { useState } from 'react'
import type { RecordShape } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { Part } from '../part.tsx'
import { PartFailed, PartLoading } from '../small-states.tsx'
import { useAbout } from '../use-about.ts'
import { NewNote } from './new-note.tsx'
import { Note } from './note.tsx'
import css from './notes.module.css'

type Props = { object: ObjectShape; notes: ObjectShape; record: RecordShape }

const shownAtFirst = 3

/** Notes about this record, newest first. */
export function Notes({ object, notes, record }: Props) {
  const { query, records } = useAbout(notes, object, record.id)
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? records : records.slice(0, shownAtFirst)
  const count = records.length ? `${records.length}${query.hasNextPage ? '+' : ''}` : undefined
  return (
    <Part title="Notes" count={count}>
      {notes.rights.create && <NewNote about={record.id} />}
      {query.isPending && <PartLoading what="notes" />}
      {query.isError && !query.data && <PartFailed what="notes" onRetry={query.refetch} busy={query.isFetching} />}
      {shown.length > 0 && (
        <ul className={css.notes}>
          {shown.map((note) => (
            <Note key={note.id} notes={notes} note={note} />
          ))}
        </ul>
      )}
      {records.length > shown.length && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setWhole(true)}>
          Show all {count} notes
        </Button>
      )}
      {isWhole && query.hasNextPage && (
        <Button
          variant="default"
          size="compact-sm"
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </Part>
  )
}
