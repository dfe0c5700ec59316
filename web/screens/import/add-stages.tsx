import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { api } from '../../client/api.ts'
import { useSignedIn } from '../../client/session.ts'
import { usePipelines } from '../../records/data/pipelines.ts'
import type { FieldShape } from '../../records/data/schema.ts'
import { complain, say } from '../../ui/basics/notices.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import css from './import.module.css'
import { placesOf } from './stage-order.ts'

/** `names`: in the order of the file. */
type Props = { field: FieldShape; names: string[] }

/** Adds the stages of the old pipeline to one of ours. Other options can be added by the import itself. */
export function AddStages({ field, names }: Props) {
  const client = useQueryClient()
  const { may } = useSignedIn()
  const pipelines = usePipelines().filter(({ is_archived }) => !is_archived)
  const add = useMutation({
    mutationFn: async ({ key, stages }: (typeof pipelines)[number]) => {
      for (const stage of placesOf(names, stages)) await api.createStage({ pipeline: key, ...stage })
    },
    onSuccess: (_, { name }) => say(`Stages added to ${name}. Check again to use them`),
    onError: (error) => complain('Not all stages were added', error),
    onSettled: () => client.invalidateQueries({ queryKey: ['schema'] }),
  })
  const isStage = field.options?.some(({ pipeline }) => pipeline)
  if (!isStage || !names.length || add.isSuccess || !may('objects.manage')) return null
  const what = names.length === 1 ? 'this stage' : `these ${asNumber(names.length)} stages`
  return (
    <div className={css.addStages}>
      {pipelines.map((pipeline) => (
        <Button
          key={pipeline.key}
          variant="default"
          size="compact-sm"
          leftSection={<Plus size={13} />}
          loading={add.isPending}
          onClick={() => add.mutate(pipeline)}
        >
          Add {what} to {pipeline.name}
        </Button>
      ))}
    </div>
  )
}
