import { Button, UnstyledButton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Archive, ArrowDown, ArrowUp, PenLine, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Pipeline, Stage } from '../../../../contract/pipelines.ts'
import { api } from '../../../client/api.ts'
import { pipelinesQuery } from '../../../records/data/pipelines.ts'
import { Badge } from '../../../ui/basics/avatar.tsx'
import { Part } from '../../../ui/basics/layout.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { moved, Sortable, useOrder } from '../../../ui/form/reorder.tsx'
import { RowMenu } from '../../../ui/page/rows.tsx'
import shared from '../entries.module.css'
import { useSchemaChanged } from '../whole-schema.ts'
import css from './pipelines.module.css'
import { StageDialog } from './stage-dialog.tsx'

type Props = { pipeline: Pipeline; index: number; count: number; onEdit: () => void }

/** One pipeline with its stages. */
export function PipelinePart({ pipeline, index, count, onEdit }: Props) {
  const stages = pipeline.stages.filter(({ is_archived }) => !is_archived)
  /** A stage, or a new one: a stage may have any key. */
  const [edited, edit] = useState<{ key?: string }>()
  const { changePipeline, changeStage, move } = useChanges(pipeline)
  const stage = edited?.key === undefined ? undefined : stages.find(({ key }) => key === edited.key)
  return (
    <Part
      title={<bdi>{pipeline.name}</bdi>}
      about={pipeline.asks_lost_reason ? 'Requires a lost reason' : undefined}
      action={
        <>
          <Button
            variant="default"
            size="xs"
            leftSection={<Plus size={14} />}
            onClick={() => edit({})}
            aria-label={`Add stage to ${pipeline.name}`}
          >
            Add stage
          </Button>
          <RowMenu
            of={pipeline.name}
            actions={[
              { label: 'Edit', icon: PenLine, open: onEdit },
              ...(index > 0
                ? [{ label: 'Move up', icon: ArrowUp, open: () => changePipeline({ position: index - 1 }) }]
                : []),
              ...(index < count - 1
                ? [{ label: 'Move down', icon: ArrowDown, open: () => changePipeline({ position: index + 1 }) }]
                : []),
              { label: 'Archive', icon: Archive, open: () => changePipeline({ is_archived: true }) },
            ]}
          />
        </>
      }
    >
      <Sortable
        label={`Stages of ${pipeline.name}`}
        className={shared.panel}
        items={stages}
        keyOf={({ key }) => key}
        nameOf={({ name }) => name}
        onMove={(from, to) => move(stages, from, to)}
      >
        {(one, _, moves) => (
          <>
            <StageButton of={one} onClick={() => edit({ key: one.key })} />
            <RowMenu
              of={one.name}
              actions={[
                { label: 'Edit', icon: PenLine, open: () => edit({ key: one.key }) },
                ...moves,
                { label: 'Archive', icon: Archive, open: () => changeStage({ stage: one, is_archived: true }) },
              ]}
            />
          </>
        )}
      </Sortable>
      {edited && (edited.key === undefined || stage) && (
        <StageDialog key={edited.key ?? ''} pipeline={pipeline} stage={stage} onClose={() => edit(undefined)} />
      )}
    </Part>
  )
}

function useChanges(pipeline: Pipeline) {
  const changed = useSchemaChanged()
  const { mutate: changePipeline } = useMutation({
    mutationFn: (patch: { position?: number; is_archived?: boolean }) =>
      api.updatePipeline({ pipeline: pipeline.key, ...patch }),
    onSuccess: ({ name, is_archived }) => is_archived && say(`${name} archived`),
    onError: (error) => complain(`${pipeline.name} was not changed`, error),
    onSettled: changed,
  })
  const { mutate: changeStage } = useMutation({
    mutationFn: ({ stage, ...patch }: { stage: Stage; is_archived?: boolean }) =>
      api.updateStage({ stage: stage.key, ...patch }),
    onSuccess: (_, { stage, is_archived }) => is_archived && say(`${stage.name} archived`),
    onError: (error, { stage }) => complain(`${stage.name} was not changed`, error),
    onSettled: changed,
  })
  const order = useOrder<Pipeline[]>(pipelinesQuery, changed)
  /** Archived stages keep their places among the others. */
  const move = (shown: Stage[], from: number, to: number) => {
    const placeOf = (stage: Stage) => pipeline.stages.findIndex(({ key }) => key === stage.key)
    const [stage, other] = [shown[from]!, shown[to]!]
    const [place, position] = [placeOf(stage), placeOf(other)]
    order({
      apply: (all) =>
        all.map((one) => (one.key === pipeline.key ? { ...one, stages: moved(one.stages, place, position) } : one)),
      send: () => api.updateStage({ stage: stage.key, position }),
    })
  }
  return { changePipeline, changeStage, move }
}

const kindNames = { open: '', won: 'Won', lost: 'Lost' }

function StageButton({ of: stage, onClick }: { of: Stage; onClick: () => void }) {
  const required = stage.required_fields.length
  return (
    <UnstyledButton className={`${shared.entry} ${css.stage}`} onClick={onClick} aria-label={`Edit ${stage.name}`}>
      <span className={css.dot} data-hue={stage.color} aria-hidden="true" />
      <span className={shared.name}>
        <bdi>{stage.name}</bdi>
        {stage.kind !== 'open' && kindNames[stage.kind] !== stage.name && <Badge>{kindNames[stage.kind]}</Badge>}
      </span>
      <span className={css.facts}>
        <span>{stage.probability === null ? '' : `${stage.probability} %`}</span>
        <span>{stage.stuck_after_days === null ? '' : `Flag after ${days(stage.stuck_after_days)} in stage`}</span>
        <span>{required ? `${required} required ${required === 1 ? 'field' : 'fields'}` : ''}</span>
      </span>
    </UnstyledButton>
  )
}

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`
