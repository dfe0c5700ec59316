import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { mostRecords } from '../../../../../contract/records.ts'
import { api } from '../../../../client/api.ts'
import type { RecordShape } from '../../../../records/records-api.ts'
import { idOf, relatedIn, titledIn } from '../../../../records/related.ts'
import { type ObjectShape, useSchema } from '../../../../records/schema.ts'
import { type Titled, titleQuery } from '../../../../records/titles.ts'
import { tellingFields } from './facts.ts'
import { RelationGroup } from './relation-group.tsx'
import type { Relation } from './relations.ts'

type Props = { object: ObjectShape; record: RecordShape; relation: Relation; isAsked: boolean; onDone: () => void }

export const shownAtFirst = 5

/** The records that a field of this one leads to. */
export function Outward({ object, record, relation, isAsked, onDone }: Props) {
  const [isWhole, setWhole] = useState(false)
  const related = relatedIn(record[relation.field.key])
  const shown = related.slice(0, isWhole ? mostRecords : shownAtFirst)
  const titled = useQueries({
    queries: shown.map((one) => titleQuery(idOf(one), titledIn(one, relation.field))),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  })
  const known = useKnown(titled)
  if (!related.length && !isAsked) return null
  return (
    <RelationGroup
      object={object}
      record={record}
      relation={relation}
      entries={titled.map((one) => ({ ...one, record: known.get(one.id) }))}
      count={related.length}
      isAsked={isAsked}
      onDone={onDone}
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
  const groups = [...Map.groupBy(titled, ({ object }) => object)]
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

export const toldOf = (object: ObjectShape | undefined) => [
  'title',
  'owner',
  ...(object ? tellingFields(object).map(({ key }) => key) : []),
]
