import { MultiSelect, SegmentedControl, TextInput } from '@mantine/core'
import { stageKinds } from '../../../../contract/objects.ts'
import type { Pipeline, Stage } from '../../../../contract/pipelines.ts'
import { api } from '../../../client/api.ts'
import { isDeals } from '../../../records/data/pipelines.ts'
import { useSchema } from '../../../records/data/schema.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Dialog } from '../../../ui/form/dialog.tsx'
import { FieldGroup } from '../../../ui/form/field-group.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { ColorField } from '../look-field.tsx'
import { useSchemaChanged } from '../whole-schema.ts'
import css from './pipelines.module.css'

const kinds = { open: 'Open', won: 'Won', lost: 'Lost' }
const openColors = ['blue', 'violet', 'yellow', 'teal', 'orange', 'pink', 'red'] as const
/** A new stage looks different from the others, as far as there are colors. */
const colorFor = (kind: Stage['kind'], { stages }: Pipeline) => {
  if (kind !== 'open') return kind === 'won' ? 'green' : 'gray'
  const used = (color: Stage['color']) => stages.filter((stage) => stage.color === color).length
  return openColors.toSorted((a, b) => used(a) - used(b))[0]!
}
const kindProbability = { open: '', won: 100, lost: 0 } as const
/** The stage sets them itself. */
const derived = ['stage', 'pipeline', 'status', 'stage_entered_at', 'closed_at', 'probability']

type Props = { pipeline: Pipeline; stage: Stage | undefined; onClose: () => void }
type Values = Pick<Stage, 'name' | 'color' | 'kind' | 'required_fields'> & {
  probability: number | string
  stuck_after_days: number | string
}

export function StageDialog({ pipeline, stage, onClose }: Props) {
  const changed = useSchemaChanged()
  const fields = (useSchema().find(isDeals)?.fields ?? []).filter(
    ({ key, built_in_key, is_read_only }) => !is_read_only && !derived.includes(built_in_key ?? key),
  )
  const { form, text, number, values, change, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/pipelines.ts'),
      ({ pipelines }) => pipelines.updateStage.input.omit({ stage: true }),
    ),
    isGuarded: false,
    initial: valuesOf(pipeline, stage),
    ask: ({ probability, stuck_after_days, ...plain }) => ({
      ...plain,
      probability: numberOf(probability),
      stuck_after_days: plain.kind === 'open' ? numberOf(stuck_after_days) : null,
    }),
    send: (sent) =>
      stage
        ? api.updateStage({ stage: stage.key, ...sent })
        : api.createStage({ pipeline: pipeline.key, ...sent, position: placeOf(pipeline, sent.kind) }),
    onDone: async () => {
      await changed()
      onClose()
      say(`${values.name} saved`)
    },
    focusOnRefusal: 'name',
  })
  const choose = (kind: Stage['kind']) =>
    change({ kind, probability: kindProbability[kind], ...(!stage && { color: colorFor(kind, pipeline) }) })
  return (
    <Dialog title={stage ? stage.name : `New stage in ${pipeline.name}`} tall onClose={onClose}>
      <DialogForm of={form} action={stage ? 'Save stage' : 'Add stage'} onCancel={onClose}>
        <TextInput label="Name" autoComplete="off" data-autofocus {...text('name')} />
        <FieldGroup legend="A deal in this stage is" error={errors.kind}>
          <SegmentedControl
            fullWidth
            aria-label="A deal in this stage is"
            data={stageKinds.map((value) => ({ value, label: kinds[value] }))}
            value={values.kind}
            onChange={(kind) => choose(kind as Stage['kind'])}
          />
        </FieldGroup>
        <div className={css.numbers}>
          <NumberField
            label="Probability"
            description="Default for deals in this stage."
            unit="%"
            min={0}
            max={100}
            isWhole
            {...number('probability')}
          />
          {values.kind === 'open' && (
            <NumberField
              label="Flag after"
              description="A deal that stays longer is flagged as stuck."
              unit="days in stage"
              min={1}
              max={3650}
              isWhole
              {...number('stuck_after_days')}
            />
          )}
        </div>
        <MultiSelect
          label="Required fields"
          description="A deal must have values in these fields to enter the stage."
          searchable
          clearable
          nothingFoundMessage="No such field"
          data={fields.map(({ key, label }) => ({ value: key, label }))}
          value={values.required_fields}
          error={errors.required_fields}
          onChange={(required_fields) => change({ required_fields })}
        />
        <ColorField value={values.color} onChange={(color) => change({ color })} />
      </DialogForm>
    </Dialog>
  )
}

const valuesOf = (pipeline: Pipeline, stage: Stage | undefined): Values => ({
  name: stage?.name ?? '',
  color: stage?.color ?? colorFor('open', pipeline),
  kind: stage?.kind ?? 'open',
  required_fields: stage?.required_fields ?? [],
  probability: stage?.probability ?? '',
  stuck_after_days: stage?.stuck_after_days ?? '',
})

const numberOf = (value: number | string) => (value === '' ? null : Number(value))

/** Open stages come before those that end a deal. */
function placeOf({ stages }: Pipeline, kind: Stage['kind']) {
  const end = stages.findIndex((stage) => stage.kind !== 'open')
  return kind === 'open' && end >= 0 ? end : stages.length
}
