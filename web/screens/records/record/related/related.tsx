import { Button, Menu } from '@mantine/core'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { inSentence } from '../../../../../contract/in-sentence.ts'
import { mostRecords } from '../../../../../contract/records.ts'
import { api } from '../../../../client/api.ts'
import {
  countQuery,
  idOf,
  type RecordShape,
  recordPagesQuery,
  relatedIn,
  type Titled,
  titledIn,
  titleQuery,
} from '../../../../records/records-api.ts'
import { type ObjectShape, useSchema } from '../../../../records/schema.ts'
import { Part } from '../../../../ui/layout.tsx'
import { itemsOf, Loaded } from '../../../../ui/loaded.tsx'
import { asNumber } from '../../../../ui/numbers.ts'
import css from './related.module.css'
import { RelationGroup } from './relation-group.tsx'
import { leadingTo, type Relation, relationKey, relationsOf, tellingFields } from './relations.ts'

/** Everything that this record is linked with, through its own fields and through those of others. */
export function Related({ object, record }: { object: ObjectShape; record: RecordShape }) {
  const relations = relationsOf(object, useSchema())
  const [asked, setAsked] = useState<string>()
  if (!relations.length) return null
  return (
    <Part title="Related" action={<AddMenu relations={relations} onAsk={setAsked} />}>
      <div className={css.groups}>
        {relations.map((relation) => {
          const key = relationKey(relation)
          const Group = relation.way === 'out' ? Outward : Inward
          return (
            <Group
              key={key === asked ? `${key} asked` : key}
              object={object}
              record={record}
              relation={relation}
              isAsked={key === asked}
              onDone={() => setAsked(undefined)}
            />
          )
        })}
      </div>
      <p className={css.none}>Nothing is linked yet. What leads here from other records shows by itself.</p>
    </Part>
  )
}

const AddMenu = ({ relations, onAsk }: { relations: Relation[]; onAsk: (key: string) => void }) => {
  const open = relations.filter(
    ({ way, field, other }) => !field.is_read_only && (way === 'out' || other?.rights.edit !== 'none'),
  )
  if (!open.length) return null
  return (
    <Menu position="bottom-end" width={240} returnFocus={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<Plus size={14} aria-hidden="true" />}
          aria-label="Link a record"
        >
          Link
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Link through">
        {open.map((relation) => (
          <Menu.Item key={relationKey(relation)} onClick={() => onAsk(relationKey(relation))}>
            {relation.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

type Props = { object: ObjectShape; record: RecordShape; relation: Relation; isAsked: boolean; onDone: () => void }

/** The records of another object whose field leads to this one. */
function Inward({ object, record, relation, isAsked, onDone }: Props) {
  const other = relation.other!
  const filter = leadingTo(relation.field, record.id)
  const query = useInfiniteQuery(
    recordPagesQuery({ object: other.key, filter, fields: toldOf(other), limit: shownAtFirst }),
  )
  const isMore = query.hasNextPage
  const { data: counted } = useQuery({ ...countQuery({ object: other.key, filter }), enabled: isMore })
  const found = itemsOf(query)
  const count = counted?.count ?? found.length
  // Not nothing yet: as long as answers are on their way, nobody says that there is nothing.
  if (query.isPending) return <span hidden />
  if (query.data && !found.length && !isAsked) return null
  return (
    <Loaded query={query} what={inSentence(other.label_plural)} small>
      {() => (
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
      )}
    </Loaded>
  )
}

type ShownAtFirstProps = {
  object: ObjectShape
  record: RecordShape
  relation: Relation
  isAsked: boolean
  onDone: () => void
}

const shownAtFirst = 5

/** The records that a field of this one leads to. */
function Outward({ object, record, relation, isAsked, onDone }: ShownAtFirstProps) {
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

const toldOf = (object: ObjectShape | undefined) => [
  'title',
  'owner',
  ...(object ? tellingFields(object).map(({ key }) => key) : []),
]
