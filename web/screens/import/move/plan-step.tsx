import { Button, Select, Skeleton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { jobsChanged } from '../../../client/jobs.ts'
import { useSchema } from '../../../records/data/schema.ts'
import { reasonOf } from '../../../ui/basics/errors.ts'
import { Failure } from '../../../ui/basics/states.tsx'
import { type Column, DataTable } from '../../../ui/page/table.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import { fieldOf, mappedFields, useImportFieldsOf } from '../choices.ts'
import { lackIn } from '../lack.ts'
import { isUnreadable } from '../preview-failure.tsx'
import { StepFrame } from '../step-frame.tsx'
import { AddUsers } from './add-users.tsx'
import type { Move } from './choices.ts'
import { KeepIds, useKeepingIds } from './keep-ids.tsx'
import css from './move.module.css'
import { type Planned, useMoveInput, usePlan } from './plan.ts'

type Props = { move: Move; onBack: () => void; onColumns: (file: string) => void; onCheck: (job: string) => void }

/** What each file becomes, before anything is written. */
export function PlanStep({ move, onBack, onColumns, onCheck }: Props) {
  const objects = useSchema()
  const { query, planned, system, users } = usePlan(move)
  const inputOf = useMoveInput()
  const moving = planned.filter(({ into }) => into)
  const isKeepingIds = useKeepingIds()
  const isReady = !isKeepingIds && moving.length > 0 && moving.every(({ preview, error }) => preview && !error)
  const check = useMutation({
    mutationFn: () => api.startMove({ files: inputOf(planned, users), dry_run: true }),
    onSuccess: ({ job_id }) => {
      void jobsChanged()
      onCheck(job_id)
    },
  })
  const columns: Column<Planned>[] = [
    {
      key: 'file',
      label: 'File',
      bare: true,
      cell: ({ name, plan }) => (
        <div className={css.cell}>
          <bdi className={css.name}>{name}</bdi>
          {plan.rows > 0 && (
            <span className={css.dim}>
              {plan.is_exact ? '' : 'about '}
              {asNumber(plan.rows)} {plan.rows === 1 ? 'row' : 'rows'}
            </span>
          )}
        </div>
      ),
    },
    {
      key: 'into',
      label: 'Becomes',
      cell: ({ id, name, into, plan }) => (
        <Select
          aria-label={`What ${name} becomes`}
          placeholder="Left out"
          searchable
          clearable
          clearButtonProps={{ 'aria-label': `Leave out ${name}` }}
          nothingFoundMessage="No such kind of record"
          description={into && into.key !== plan.object ? undefined : plan.note}
          inputWrapperOrder={['input', 'description', 'error']}
          data={objects
            .filter(({ rights }) => rights.create)
            .map(({ key, label_plural }) => ({ value: key, label: label_plural }))}
          value={into?.key ?? null}
          onChange={(key) => move.putInto(id, key)}
        />
      ),
    },
    { key: 'columns', label: 'Columns', cell: (file) => <Fit of={file} onColumns={() => onColumns(file.id)} /> },
  ]
  if (query.isPending) return <Skeleton height={320} radius="lg" role="status" aria-label="Reading the files" />
  if (query.isError) return <Failure error={query.error} onRetry={query.refetch} busy={query.isFetching} />
  return (
    <StepFrame
      title="Plan"
      about={
        <>
          {system ? `These files come from ${system}. ` : ''}
          They are imported in this order, so that every link finds its record. Nothing is imported yet: the next step
          checks every row.
        </>
      }
      failure={check.error && reasonOf(check.error)}
      actions={
        <>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
          <Button disabled={!isReady} loading={check.isPending} onClick={() => check.mutate()}>
            Check the move
          </Button>
        </>
      }
    >
      <KeepIds planned={planned} system={system} />
      <AddUsers planned={planned} system={system} users={users} onAdd={onBack} />
      <DataTable
        bare
        label="Files"
        className={css.plan}
        stackOn="phone"
        columns={columns}
        items={planned}
        row={({ into }) => ({ 'data-out': !into || undefined })}
      />
    </StepFrame>
  )
}

const mostNamed = 6

/** How many of the columns go into a field, and what needs a look. */
function Fit({ of: file, onColumns }: { of: Planned; onColumns: () => void }) {
  const fieldsOf = useImportFieldsOf()
  const { name, into, preview, choices, error, retry } = file
  if (!into) return null
  if (error)
    return (
      <div className={css.cell}>
        <Warning>{reasonOf(error)}</Warning>
        {!isUnreadable(error) && (
          <Button variant="default" size="compact-sm" aria-label={`Read ${name} again`} onClick={retry}>
            Retry
          </Button>
        )}
      </div>
    )
  if (!preview) return <Skeleton height={20} width={140} />
  const mapped = mappedFields(fieldsOf(into), choices, preview)
  const lack = lackIn({ object: into, choices, preview, mapped })
  const open = preview.unsure.filter((key) => choices.format[key] === undefined)
  // Those that are empty, or whose content is elsewhere, lose nothing.
  const out = preview.columns.filter(
    (one) => fieldOf(choices, one) === null && one.samples.length > 0 && (one.field !== null || one.is_lost),
  )
  return (
    <div className={css.cell}>
      <Button variant="default" size="compact-sm" aria-label={`Columns of ${name}`} onClick={onColumns}>
        {asNumber(mapped.length)} of {asNumber(preview.columns.length)} columns
      </Button>
      {lack ? (
        <Warning>{lack.text}</Warning>
      ) : (
        open.length > 0 && (
          <Warning>Please check how {open.map((key) => unsureWords[key]).join(' and ')} are read.</Warning>
        )
      )}
      {out.length > 0 ? (
        <span className={css.dim}>
          Left out:{' '}
          {out
            .slice(0, mostNamed)
            .map(({ column }) => column)
            .join(', ')}
          {out.length > mostNamed && ` and ${asNumber(out.length - mostNamed)} more`}
        </span>
      ) : (
        !lack && (
          <span className={css.dim}>
            <CircleCheck size={13} /> Nothing is left out
          </span>
        )
      )}
    </div>
  )
}

const unsureWords = {
  encoding: 'letters',
  delimiter: 'columns',
  decimal: 'numbers',
  date_order: 'dates',
  country: 'phone numbers',
  sheet: 'sheets',
}

const Warning = ({ children }: { children: React.ReactNode }) => (
  <span className={css.warning}>
    <CircleAlert size={13} /> {children}
  </span>
)
