import { Menu, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, CircleX, Trophy } from 'lucide-react'
import type { Pipeline, Stage } from '../../../contract/pipelines.ts'
import { api } from '../../client/api.ts'
import { builtInField } from '../../records/data/built-in.ts'
import { isDeals, stageCalled, stayOf, usePipelines } from '../../records/data/pipelines.ts'
import type { RecordShape } from '../../records/data/records-api.ts'
import { useRights } from '../../records/data/rights.ts'
import type { FieldShape, ObjectShape } from '../../records/data/schema.ts'
import { useMoveStage } from '../../records/forms/move-stage.tsx'
import css from './stages.module.css'

/** The field whose options are stages, if there is one. */
export const stageFieldOf = (object: ObjectShape): FieldShape | undefined =>
  object.fields.find(({ type, options }) => type === 'select' && options?.some(({ kind }) => kind))

type Props = { object: ObjectShape; record: RecordShape }

export function Stages(props: Props) {
  const field = isDeals(props.object) ? builtInField(props.object, 'stage') : undefined
  return field ? <StagePath {...props} field={field} /> : null
}

/** The way of a deal through the stages of its pipeline, with the days in each; one click moves it. */
function StagePath({ object, record, field }: Props & { field: FieldShape }) {
  const pipelines = usePipelines()
  const { move, dialog } = useMoveStage()
  const daysIn = useDays(object, record, record[field.key])
  const isFixed = !useRights(object).mayEdit(record)
  const current = stageCalled(pipelines, record[field.key])
  const inUse = pipelines.filter(({ is_archived }) => !is_archived)
  const pipeline = current?.pipeline ?? inUse[0]
  if (!pipeline) return <div className={css.path} />
  const stages = pipeline.stages.filter((stage) => !stage.is_archived || stage.key === current?.key)
  const now = stages.findIndex(({ key }) => key === current?.key)
  const isStuck = stayOf(object, pipelines, record)?.isStuck
  const draw = (stage: Stage) => {
    const index = stages.indexOf(stage)
    const isPast = stage.kind === 'open' && index < now && current?.kind === 'open'
    const Icon = stage.kind === 'won' ? Trophy : stage.kind === 'lost' ? CircleX : isPast ? Check : undefined
    const days = daysIn(stage.key)
    const stay = days === undefined ? undefined : `${days} ${days === 1 ? 'day' : 'days'}`
    const isLate = index === now && isStuck
    return (
      <UnstyledButton
        key={stage.key}
        className={css.stage}
        data-kind={stage.kind}
        data-past={isPast || undefined}
        data-stuck={isLate || undefined}
        aria-pressed={index === now}
        disabled={isFixed}
        aria-label={[stage.name, stay, isLate && 'stuck'].filter(Boolean).join(', ')}
        title={stay && `${stay} in ${stage.name}${isLate ? ', longer than usual' : ''}`}
        onClick={() => void move(record, stage.key)}
      >
        {Icon && <Icon size={13} />}
        <bdi>{stage.name}</bdi>
        {stay && <span className={css.days}>{days} d</span>}
      </UnstyledButton>
    )
  }
  return (
    <fieldset className={css.path} aria-label={field.label}>
      {inUse.length > 1 && (
        <PipelineMenu
          pipelines={inUse}
          pipeline={pipeline}
          isFixed={isFixed}
          onChoose={({ stages: others }) => {
            const first = others.find(({ kind, is_archived }) => kind === 'open' && !is_archived)
            if (first) void move(record, first.key)
          }}
        />
      )}
      <div className={css.open}>{stages.filter(({ kind }) => kind === 'open').map(draw)}</div>
      <div className={css.closed}>{stages.filter(({ kind }) => kind !== 'open').map(draw)}</div>
      {dialog}
    </fieldset>
  )
}

type MenuProps = {
  pipelines: Pipeline[]
  pipeline: Pipeline
  isFixed: boolean
  onChoose: (pipeline: Pipeline) => void
}

const PipelineMenu = ({ pipelines, pipeline, isFixed, onChoose }: MenuProps) => (
  <Menu position="bottom-start" width={220} disabled={isFixed}>
    <Menu.Target>
      <UnstyledButton className={css.pipeline} aria-label={`Pipeline: ${pipeline.name}`} disabled={isFixed}>
        <bdi>{pipeline.name}</bdi>
        <ChevronDown size={14} />
      </UnstyledButton>
    </Menu.Target>
    <Menu.Dropdown aria-label="Pipeline">
      {pipelines.map((one) => (
        <Menu.Item
          key={one.key}
          rightSection={one.key === pipeline.key && <Check size={14} aria-label="chosen" />}
          onClick={() => one.key !== pipeline.key && onChoose(one)}
        >
          {one.name}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)

/** How many whole days the deal has spent in a stage, all visits together; nothing for one that it was never in. */
function useDays(object: ObjectShape, record: RecordShape, stage: unknown) {
  const { data } = useQuery({
    queryKey: ['records', object.key, 'stages', record.id, stage],
    queryFn: async ({ signal }) => (await api.listDealStages({ id: record.id }, { signal })).items,
  })
  return (key: string) => {
    const visits = data?.filter((visit) => visit.stage === key) ?? []
    return visits.length ? Math.floor(visits.reduce((sum, { days }) => sum + days, 0)) : undefined
  }
}
