import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CopyX } from 'lucide-react'
import {
  type DuplicateGroup,
  dropFromGroups,
  groupsKey,
  groupsQuery,
  reasonsOf,
} from '../../records/data/duplicates.ts'
import { recordsChangedSoon, whileSaving } from '../../records/data/record-cache.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { markDifferent } from '../../records/data/undo.ts'
import { pluralOf } from '../../records/data/value-text.ts'
import { UserName } from '../../records/fields/field-value.tsx'
import { LoadedList } from '../../ui/basics/loaded.tsx'
import { complain, say } from '../../ui/basics/notices.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { DataTable } from '../../ui/page/table.tsx'
import css from './duplicates.module.css'

/** Pairs that someone marked as different, which can be taken back. */
export function DismissedPairs({ object }: { object: ObjectShape }) {
  const query = useInfiniteQuery(groupsQuery(object.key, { is_dismissed: true }))
  const { mutate } = useTakeBack(object)
  const link = (id: string, title: string) => (
    <Link to="/records/$object/$id" params={{ object: object.key, id }} className={css.link}>
      <bdi>{title}</bdi>
    </Link>
  )
  const none = (
    <Message icon={CopyX} title={`No ${pluralOf(object)} are marked as different`}>
      Pairs that someone marks with <b>Not duplicates</b> appear here, and can be compared again.
    </Message>
  )
  return (
    <LoadedList query={query} what="dismissed duplicates" empty={none}>
      {(pairs) => (
        <DataTable
          label="Dismissed duplicates"
          className={css.dismissed}
          items={pairs}
          keyOf={keyOf}
          columns={[
            {
              key: 'records',
              label: 'Not duplicates',
              bare: true,
              cell: ({ id, title, duplicates: [other] }) => (
                <span className={css.pair}>
                  {link(id!, title ?? '')} {other && link(other.id, other.title)}
                </span>
              ),
            },
            { key: 'why', label: 'In common', cell: ({ duplicates: [other] }) => other && reasonsOf(other) },
            { key: 'by', label: 'Dismissed by', cell: ({ dismissed_by: by }) => by && <UserName id={by} /> },
            {
              key: 'act',
              label: 'Actions',
              isQuiet: true,
              cell: (pair) => (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Take back: ${pair.title} and ${pair.duplicates[0]?.title}`}
                  onClick={() => mutate(pair)}
                >
                  Take back
                </Button>
              ),
            },
          ]}
        />
      )}
    </LoadedList>
  )
}

const keyOf = ({ id, duplicates }: DuplicateGroup) => `${id} ${duplicates[0]?.id}`

function useTakeBack({ key: object }: ObjectShape) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, duplicates }: DuplicateGroup) =>
      whileSaving(object, () => markDifferent({ object, pairs: [[id!, duplicates.map((one) => one.id)]] }, false)),
    onMutate: async (pair) => {
      await client.cancelQueries({ queryKey: groupsKey(object) })
      return dropFromGroups(client, object, (group) => keyOf(group) === keyOf(pair))
    },
    onSuccess: () => say('They are compared again.'),
    onError: (error, _, putBack) => {
      putBack?.()
      complain('This was not taken back', error)
    },
    onSettled: () => recordsChangedSoon(client, object),
  })
}
