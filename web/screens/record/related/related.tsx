import { Button } from '@mantine/core'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mostRecords } from '../../../../contract/records.ts'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { api } from '../../../client/api.ts'
import {
  countQuery,
  idOf,
  type RecordShape,
  recordPagesQuery,
  relatedIn,
  type Titled,
  titledIn,
  titleQuery,
} from '../../../records/data/records-api.ts'
import { type ObjectShape, useSchema } from '../../../records/data/schema.ts'
import { ButtonLink } from '../../../ui/basics/links.tsx'
import { itemsOf, Loaded } from '../../../ui/basics/loaded.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import css from './related.module.css'
import { RelationGroup } from './relation-group.tsx'
import { leadingTo, type Relation, relationKey, relationsOf, tellingFields } from './relations.ts'

/** Everything that this record is linked with, through its own fields and through those of others; also what is not yet. */
export function Related({ object, record }: { object: ObjectShape; record: RecordShape }) {
  const relations = relationsOf(object, useSchema())
  if (!relations.length) return null
  return (
    <div className={css.groups}>
      {relations.map((relation) => {
        const Group = relation.way === 'out' ? Outward : Inward
        return <Group key={relationKey(relation)} object={object} record={record} relation={relation} />
      })}
    </div>
  )
}

type Props = { object: ObjectShape; record: RecordShape; relation: Relation }

/** The records of another object whose field leads to this one. */
function Inward({ object, record, relation }: Props) {
  const other = relation.other!
  const filter = leadingTo(relation.field, record.id)
  const query = useInfiniteQuery(
    recordPagesQuery({ object: other.key, filter, fields: toldOf(other), limit: shownAtFirst }),
  )
  const isMore = query.hasNextPage
  const { data: counted } = useQuery({ ...countQuery({ object: other.key, filter }), enabled: isMore })
  const found = itemsOf(query)
  const count = counted?.count ?? found.length
  return (
    <Loaded query={query} what={inSentence(other.label_plural)} small>
      {() => (
        <RelationGroup
          object={object}
          record={record}
          relation={relation}
          entries={found.map((one) => ({ object: other.key, id: one.id, title: String(one.title), record: one }))}
          count={count}
          rest={
            isMore && (
              <ButtonLink
                to="/records/$object"
                params={{ object: other.key }}
                search={{ filter }}
                variant="subtle"
                color="gray"
                size="compact-sm"
              >
                Show all {counted && asNumber(count)}
              </ButtonLink>
            )
          }
        />
      )}
    </Loaded>
  )
}

const shownAtFirst = 5

/** The records that a field of this one leads to. */
function Outward({ object, record, relation }: Props) {
  const [isWhole, setWhole] = useState(false)
  const related = relatedIn(record[relation.field.key])
  const shown = related.slice(0, isWhole ? mostRecords : shownAtFirst)
  const titled = useQueries({
    queries: shown.map((one) => titleQuery(idOf(one), titledIn(one, relation.field))),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  })
  const known = useKnown(titled)
  return (
    <RelationGroup
      object={object}
      record={record}
      relation={relation}
      entries={titled.map((one) => ({ ...one, record: known.get(one.id) }))}
      count={related.length}
      rest={
        related.length > shown.length &&
        !isWhole && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setWhole(true)}>
            Show all {related.length}
          </Button>
        )
      }
    />
  )
}

/** What there is to tell about them, asked for once an object. */
function useKnown(titled: Titled[]) {
  const objects = useSchema()
  const open = titled.filter(({ is_private }) => !is_private)
  const groups = [...Map.groupBy(open, ({ object }) => object)]
  return useQueries({
    queries: groups.map(([key, some]) => {
      const ids = some.map(({ id }) => id)
      const object = objects.find((one) => one.key === key)
      return {
        queryKey: ['records', key, 'told', ids] as const,
        queryFn: () => api.getRecords({ object: key, ids, fields: toldOf(object) }),
      }
    }),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }) => data?.records.map((one) => [one.id, one] as const) ?? [])),
  })
}

const toldOf = (object: ObjectShape | undefined) => [
  'title',
  'owner',
  ...(object ? tellingFields(object).map(({ key }) => key) : []),
]
