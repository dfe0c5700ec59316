import { Button, Checkbox, Radio, Select, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import type { FieldShape } from '../../records/data/schema.ts'
import { pluralOf } from '../../records/data/value-text.ts'
import {
  canBeMissing,
  canHaveDuplicates,
  type IfMissing,
  type Mode,
  mappedFields,
  matchingOf,
  type OnDuplicate,
  type OnInvalid,
  useImportFields,
  useUsualMissing,
} from './choices.ts'
import css from './import.module.css'
import { StepFrame, type StepProps } from './step-frame.tsx'

type Props = StepProps & {
  about: string
  failure?: ReactNode
  isPending?: boolean
  next: string
  /** Objects that other files of a move contain. */
  among?: string[]
  onBack: () => void
  onNext: () => void
}

/** What to do with rows that exist already, and with names that do not exist. */
export function MatchingStep({
  object,
  preview,
  choices,
  choose,
  about,
  among,
  failure,
  isPending,
  next,
  ...go
}: Props) {
  const usualMissing = useUsualMissing()
  const mapped = mappedFields(useImportFields(object), choices, preview)
  const { fields: matchable, mode, match_by, empty_cells, lists } = matchingOf({ object, choices, preview, mapped })
  const many = pluralOf(object)
  const onDuplicate = choices.on_duplicate ?? 'create'
  const onInvalid = choices.on_invalid ?? 'leave_out'
  const modes: { value: Mode; label: string; about: string }[] = [
    { value: 'create', label: `Create new ${many}`, about: 'Every row becomes a new record.' },
    {
      value: 'upsert',
      label: 'Create and update',
      about: 'Rows that match a record update it; the others are created.',
    },
    { value: 'update', label: 'Update only', about: 'Rows without a matching record are reported.' },
  ]
  const canMatch = matchable.length > 0 && object.rights.edit !== 'none'
  const missing = mapped.filter(({ field }) => canBeMissing(field))
  const hasLists = mapped.some(({ field }) => field.is_multi || field.type === 'multi_select')
  return (
    <StepFrame
      title="Matching"
      about={about}
      failure={failure}
      actions={
        <>
          <Button variant="default" onClick={go.onBack}>
            Back
          </Button>
          <Button loading={isPending ?? false} onClick={go.onNext}>
            {next}
          </Button>
        </>
      }
    >
      <Radio.Group
        label={`Rows and existing ${many}`}
        value={mode}
        onChange={(chosen) => choose({ mode: chosen as Mode })}
      >
        <Stack gap={8} mt={4}>
          {modes.map(({ value, label, about }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={about}
              disabled={value !== 'create' && !canMatch}
            />
          ))}
        </Stack>
      </Radio.Group>
      {!canMatch && (
        <p className={css.hint}>
          To update existing {many}, the file needs a column with their names, with a unique field such as an email
          address, or with the record ID.
        </p>
      )}
      {mode !== 'create' && canMatch && (
        <div className={css.pair}>
          <Select
            label="Find existing records by"
            data={matchable.map(({ key, label }) => ({ value: key, label }))}
            value={match_by ?? null}
            onChange={(match_by) => match_by && choose({ match_by })}
          />
          <Checkbox
            label="Empty cells clear existing values"
            checked={empty_cells === 'clear'}
            onChange={(event) => choose({ empty_cells: event.currentTarget.checked ? 'clear' : 'keep' })}
          />
        </div>
      )}
      {mode !== 'create' && canMatch && hasLists && (
        <Checkbox
          label="Replace existing lists"
          description="By default, values such as email addresses and tags are added to the existing ones."
          checked={lists === 'replace'}
          onChange={(event) => choose({ lists: event.currentTarget.checked ? 'replace' : 'add' })}
        />
      )}
      {mode !== 'update' && canHaveDuplicates(object) && (
        <Select
          label={`If a new ${inSentence(object.label)} probably exists already`}
          description={aboutDuplicates[onDuplicate]}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          allowDeselect={false}
          data={[
            { value: 'create', label: 'Create a new record anyway' },
            ...(object.rights.edit === 'none' ? [] : [{ value: 'update', label: 'Update the existing record' }]),
            { value: 'skip', label: 'Skip the row' },
            { value: 'fail', label: 'Report the row as a problem' },
          ]}
          value={onDuplicate}
          onChange={(chosen) => chosen && choose({ on_duplicate: chosen as OnDuplicate })}
        />
      )}
      <Select
        label="If a value cannot be read"
        description={
          onInvalid === 'leave_out'
            ? 'For example, half a phone number. The result lists what was left out, to correct and import again.'
            : 'For example, because of half a phone number. The result lists these rows, to correct and import again.'
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        data={[
          { value: 'leave_out', label: 'Import the row without it' },
          { value: 'fail', label: 'Skip the row' },
        ]}
        value={onInvalid}
        onChange={(chosen) => chosen && choose({ on_invalid: chosen as OnInvalid })}
      />
      {missing.length > 0 && (
        <fieldset className={css.missing}>
          <legend>If a linked record, user or option isn’t in Kith yet</legend>
          {missing.map(({ column, field, if_missing }) => (
            <Select
              key={column}
              label={field.label}
              data={waysFor(field)}
              value={choices.missing[column] ?? if_missing ?? usualMissing(field, among)}
              onChange={(way) => way && choose({ missing: { ...choices.missing, [column]: way as IfMissing } })}
            />
          ))}
        </fieldset>
      )}
    </StepFrame>
  )
}

const ifCertain =
  'Only if Kith is certain, for example because name and phone number are the same. Others are created, and appear under Duplicates.'

const aboutDuplicates: Record<OnDuplicate, string> = {
  create: 'You can review and merge duplicates afterwards.',
  update: ifCertain,
  skip: ifCertain,
  fail: 'Even if they are only likely the same. The other rows are imported.',
}

function waysFor({ type }: FieldShape): { value: IfMissing; label: string }[] {
  const create = type === 'relation' ? 'Create the record' : 'Add the option'
  return [
    ...(type === 'user' ? [] : [{ value: 'create' as const, label: create }]),
    { value: 'leave_empty', label: 'Leave the field empty' },
    { value: 'fail', label: 'Skip the row' },
  ]
}
