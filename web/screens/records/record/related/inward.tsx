import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { inSentence } from '../../../../../contract/in-sentence.ts'
import { countQuery, type RecordShape, recordPagesQuery } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { asNumber } from '../../../../ui/numbers.ts'
import { PartFailed } from '../small-states.tsx'
import { shownAtFirst, toldOf } from './outward.tsx'
import { RelationGroup } from './relation-group.tsx'
import { leadingTo, type Relation } from './relations.ts'

type Props = { object: ObjectShape; record: RecordShape; relation: Relation; isAsked: boolean; onDone: () => void }

/** The records of another object whose field leads to this one. */
export function Inward({ object, record, relation, isAsked, onDone }: Props) {
  const other = relation.other!
  const filter = leadingTo(relation.field, record.id)
  const { data, isPending, refetch, isFetching } = useInfiniteQuery(
    recordPagesQuery({ object: other.key, filter, fields: toldOf(other), limit: shownAtFirst }),
  )
  const found = data?.pages.flatMap(({ records }) => records) ?? []
  const isMore = data?.pages.at(-1)?.next_cursor != null
  const { data: counted } = useQuery({ ...countQuery({ object: other.key, filter }), enabled: isMore })
  if (!data && !isPending)
    return <PartFailed what={inSentence(other.label_plural)} onRetry={refetch} busy={isFetching} />
  // Not nothing yet: as long as answers are on their way, nobody says that there is nothing.
  if (isPending) return <span hidden />
  if (!found.length && !isAsked) return null
  const count = counted?.count ?? found.length
  return (
    <RelationGroup
      object={object}
      record={record}
      relation={relation}
      entries={found.map((one) => ({ object: other.key, id: one.id, title: String(one.title), record: one }))}
      count={count}
      isAsked={isAsked}
      onDone={onDone}
      rest={
        isMore && (
          <Button
            component={Link}
            to="/records/$object"
            params={{ object: other.key } as never}
            search={{ filter } as never}
            variant="subtle"
            color="gray"
            size="compact-sm"
          >
            Show all {counted && asNumber(count)}
          </Button>
        )
      }
    />
  )
}
