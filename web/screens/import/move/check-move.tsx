import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../../client/api.ts'
import { type JobDetails, jobsChanged } from '../../../client/jobs.ts'
import { useKept } from '../../../records/data/kept.ts'
import type { FieldShape } from '../../../records/data/schema.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import { type Choices, mappedFields, useImportFieldsOf, valuesOf } from '../choices.ts'
import { CheckFrame } from '../run-step.tsx'
import { chosen, type UnknownGroup, unknownGroups } from '../unknown-values.tsx'
import type { Move } from './choices.ts'
import { type Plan, type Planned, useMoveInput, usePlan } from './plan.ts'

type Props = {
  move: Move
  id: string
  onBack: () => void
  /** The job of another check. */
  onCheck: (job: string) => void
  onRun: (job: string) => void
}

/** What the move would do, before it does anything. */
export function CheckMove({ move, id, onCheck, ...go }: Props) {
  const { planned, users } = usePlan(move)
  const inputOf = useMoveInput()
  const fieldsOf = useImportFieldsOf()
  const values = JSON.stringify(move.files.map(({ choices }) => choices.values ?? {}))
  const [checked, keepChecked] = useKept(`checked ${id}`, values)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, so that a reload does not forget what was checked
  useEffect(() => keepChecked(checked), [])
  const again = useMutation({
    mutationFn: () => api.startMove({ files: inputOf(planned, users), dry_run: true }),
    onSuccess: ({ job_id }) => {
      void jobsChanged()
      onCheck(job_id)
    },
  })
  return (
    <CheckFrame
      id={id}
      what="the files"
      isChanged={values !== checked}
      again={again}
      // What was checked is imported, and only once, whatever was chosen or clicked since.
      run={async () => (await api.startMove({ check_id: id })).job_id}
      action={(count) => `Move ${asNumber(count)} ${count === 1 ? 'record' : 'records'}`}
      groups={(job) => groupsOf(job, planned, fieldsOf, move, users)}
      {...go}
    />
  )
}

/** Users once for all files, options for each file. */
function groupsOf(
  { result }: JobDetails,
  planned: Planned[],
  fieldsOf: ReturnType<typeof useImportFieldsOf>,
  move: Move,
  users: Plan['users'],
): UnknownGroup[] {
  const ofFiles = planned.flatMap(({ id, name, into, preview, choices }) => {
    if (!into || !preview) return []
    const groups = unknownGroups({
      unknown: result?.files?.find((file) => file.file_id === id)?.unknown_values ?? {},
      mapped: mappedFields(fieldsOf(into), choices, preview),
      values: valuesOf(choices, preview),
      onChange: (values) => move.choose({ [id]: { values } }),
    })
    return groups.map((group) => ({ file: { id, name, choices, preview }, group }))
  })
  const options = ofFiles.filter(({ group }) => !isOfUsers(group.field))
  return [
    ...usersIn(
      ofFiles.filter(({ group }) => isOfUsers(group.field)),
      move,
      users,
    ),
    ...options.map(({ file, group }) => ({ ...group, label: `${file.name}: ${group.label}` })),
  ]
}

const isOfUsers = ({ type }: FieldShape) => type === 'user'

type OfFile = {
  file: Pick<Planned, 'id' | 'name' | 'choices'> & { preview: NonNullable<Planned['preview']> }
  group: UnknownGroup
}

/** One question for each of them, whatever columns and files name them. */
function usersIn(some: OfFile[], move: Move, users: Plan['users']): UnknownGroup[] {
  const [first] = some
  const counts = new Map<string, number>()
  for (const [text, rows] of some.flatMap(({ group }) => group.texts)) counts.set(text, (counts.get(text) ?? 0) + rows)
  // Their addresses are asked for.
  for (const id of Object.keys(users)) counts.delete(id)
  if (!first || !counts.size) return []
  return [
    {
      label: 'Users',
      field: first.group.field,
      texts: [...counts],
      meaning: (text) => some.map(({ group }) => group.meaning(text)).find((meaning) => meaning !== undefined),
      choose(text, meaning) {
        const patches: Record<string, Partial<Choices>> = {}
        for (const { file, group } of some) {
          const before = patches[file.id]?.values ?? valuesOf(file.choices, file.preview)
          const values = { ...before, [group.label]: chosen(before[group.label], text, meaning) }
          patches[file.id] = { values }
        }
        move.choose(patches)
      },
    },
  ]
}
