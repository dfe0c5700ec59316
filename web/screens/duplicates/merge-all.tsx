import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Merge } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../client/api.ts'
import { jobStarted } from '../../client/jobs.ts'
import type { DuplicateGroup } from '../../records/data/duplicates.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { counted } from '../../records/data/value-text.ts'
import { hasValues } from '../../records/merge/choice.ts'
import { complain } from '../../ui/basics/notices.tsx'
import { Confirm } from '../../ui/form/dialog.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import type { Choices } from './group-list.tsx'

type Props = { object: ObjectShape; choices: Choices; onStarted: (group_ids: string[], job_id: string) => void }
type Group = { id: string; merge: string[] }
type Asked = { groups: Group[]; ids: string[]; chosen: number; isMore: boolean }

/** Merges all groups that are certain in a job, as they are shown. */
export function MergeAll({ object, choices, onStarted }: Props) {
  const { key, rights } = object
  const [asked, ask] = useState<Asked>()
  const { data: total = 0 } = useQuery({
    queryKey: ['records', key, 'duplicates', 'certain'],
    queryFn: async ({ signal }) =>
      (await api.getDuplicates({ object: key, likeness: 'certain', limit: 1 }, { signal })).total,
  })
  const { mutate, isPending } = useMutation({
    mutationFn: async () => askedOf(await certainGroups(key), choices, total),
    onSuccess: ask,
    onError: (error) => complain('The duplicates could not be loaded', error),
  })
  if (!total || rights.edit === 'none' || rights.delete === 'none') return null
  return (
    <>
      <Button variant="default" leftSection={<Merge size={15} />} loading={isPending} onClick={() => mutate()}>
        Merge all certain ({asNumber(total)})
      </Button>
      {asked && (
        <Confirm
          title={`Merge ${groupWords(asked.groups.length)} of duplicates?`}
          action={`Merge ${groupWords(asked.groups.length)}`}
          isHarmless
          act={async () => {
            const { job_id } = await api.bulkMergeRecords({ object: key, groups: asked.groups })
            if (!job_id) return
            jobStarted(job_id)
            onStarted(asked.ids, job_id)
          }}
          onDone={() => {}}
          onClose={() => ask(undefined)}
        >
          <p>
            {counted(countIn(asked.groups), object)} become {asNumber(asked.groups.length)}. The oldest of each group is
            kept, unless you chose another one, and gets what it lacks from the others.
          </p>
          {asked.chosen > 0 && (
            <p>
              {groupWords(asked.chosen)} in which you chose values {asked.chosen === 1 ? 'is' : 'are'} left for you to
              merge.
            </p>
          )}
          {asked.isMore && <p>These are the first {groupWords(asked.groups.length)}. Merge the rest afterwards.</p>}
          <p>This runs in the background. You can undo it as a whole.</p>
        </Confirm>
      )}
    </>
  )
}

const groupWords = (count: number) => `${asNumber(count)} ${count === 1 ? 'group' : 'groups'}`
const countIn = (groups: Group[]) => groups.reduce((sum, { merge }) => sum + 1 + merge.length, 0)

/** As many as one job merges. */
const mostGroups = 500

async function certainGroups(object: string) {
  const groups: DuplicateGroup[] = []
  let cursor: string | undefined
  do {
    const page = await api.getDuplicates({ object, likeness: 'certain', limit: 100, cursor })
    groups.push(...page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor && groups.length < mostGroups)
  return groups.slice(0, mostGroups)
}

/** A record may be a duplicate in two groups. The second one is found again when the first is merged. */
function askedOf(found: DuplicateGroup[], choices: Choices, total: number): Asked {
  const seen = new Set<string>()
  const asked: Asked = { groups: [], ids: [], chosen: 0, isMore: total > found.length }
  for (const { id: oldest, duplicates } of found) {
    const choice = choices[oldest!]
    if (choice && hasValues(choice)) {
      asked.chosen += 1
      continue
    }
    const ids = [oldest!, ...duplicates.map(({ id }) => id)].filter((id) => !choice?.apart.includes(id))
    const kept = ids.find((id) => id === choice?.keep) ?? ids[0]
    if (!kept || ids.length < 2 || ids.some((id) => seen.has(id))) continue
    for (const id of ids) seen.add(id)
    asked.groups.push({ id: kept, merge: ids.filter((id) => id !== kept) })
    asked.ids.push(oldest!)
  }
  return asked
}
