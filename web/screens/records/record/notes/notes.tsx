import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countQuery, pageSize, type RecordShape } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { asNumber } from '../../../../ui/numbers.ts'
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
  const [isWhole, setWhole] = useState(false)
  const limit = isWhole ? pageSize : shownAtFirst
  const { query, records: shown, filter } = useAbout(notes, object, record.id, { limit })
  const { data: counted } = useQuery({ ...countQuery({ object: notes.key, filter }), enabled: query.hasNextPage })
  const more = counted && `${asNumber(counted.count)}${counted.is_exact ? '' : '+'}`
  const count = query.hasNextPage ? more : shown.length || undefined
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
      {!isWhole && query.hasNextPage && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setWhole(true)}>
          Show all {count ?? ''} notes
        </Button>
      )}
      {isWhole && query.hasNextPage && !query.isPlaceholderData && (
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
