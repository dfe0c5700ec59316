import { Button, Radio, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ExportFormat } from '../../../../contract/csv.ts'
import { api } from '../../../client/api.ts'
import { isActive, jobQuery, jobStarted, watchJob } from '../../../client/jobs.ts'
import { CancelJob, DownloadExport } from '../../../jobs/job-actions.tsx'
import { JobState } from '../../../jobs/job-card.tsx'
import { jobTitle } from '../../../jobs/job-words.ts'
import { type ObjectShape, useSchema } from '../../../records/data/schema.ts'
import { counted, pluralOf } from '../../../records/data/value-text.ts'
import { shownColumns } from '../../../records/lists/use-columns.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { Failure } from '../../../ui/basics/states.tsx'
import { Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { asTyped } from '../../../ui/text/numbers.ts'
import css from '../bulk/bulk.module.css'

type Props = {
  object: ObjectShape
  state: ListState
  /** Which records; nothing: all. */
  filter: string
  /** How many these are, if that is known. */
  count: number | undefined
  onClose: () => void
}

const formats: { value: ExportFormat; label: string }[] = [
  { value: 'xlsx', label: 'Excel (XLSX)' },
  { value: 'csv', label: 'CSV' },
  { value: 'jsonl', label: 'JSON lines, for programs' },
]

const delimiters = [
  { value: ',', label: 'Commas (1,234.56)' },
  { value: ';', label: 'Semicolons, with decimal commas (1234,56)' },
]

/** Exports what the list shows. The file is written by a job, which goes on when the dialog is closed. */
export function ExportDialog({ object, state, filter, count, onClose }: Props) {
  const [jobId, setJobId] = useState<string>()
  const { form, choice, values } = useForm({
    input: rulesOf(
      () => import('../../../../contract/csv.ts'),
      ({ csvOperations }) => csvOperations.exportRecords.input,
    ),
    initial: { columns: 'shown', format: 'xlsx', delimiter: asTyped(0.5).includes(',') ? ';' : ',' },
    ask: ({ columns, format, delimiter }) => ({
      object: object.key,
      filter: filter || undefined,
      sort: state.sort.length ? state.sort : undefined,
      // With the ID, an import finds the same records again.
      fields: columns === 'shown' ? ['id', ...shownColumns(object, state.columns).map(({ key }) => key)] : undefined,
      format: format as ExportFormat,
      headers: format === 'jsonl' ? ('keys' as const) : undefined,
      delimiter: format === 'csv' ? (delimiter as ',' | ';') : undefined,
    }),
    send: api.exportRecords,
    onDone: ({ job_id }) => {
      jobStarted(job_id)
      setJobId(job_id)
    },
    isGuarded: false,
  })
  if (jobId) return <Exporting id={jobId} onClose={onClose} />
  return (
    <Dialog
      title={count === undefined ? `Export ${pluralOf(object)}` : `Export ${counted(count, object)}`}
      onClose={onClose}
    >
      <DialogForm
        of={form}
        action="Export"
        about={
          filter ? 'A file with the records that match, in the order of the list.' : 'A file in the order of the list.'
        }
        onCancel={onClose}
      >
        <Radio.Group label="Columns" {...choice('columns')}>
          <Stack gap={6} mt={2}>
            <Radio value="shown" label="The columns of this list, and the record ID" data-autofocus />
            <Radio value="all" label="All fields" />
          </Stack>
        </Radio.Group>
        <Select
          label="Format"
          withCheckIcon={false}
          allowDeselect={false}
          data={formats}
          {...choice('format')}
          error={values.format === 'xlsx' && (count ?? 0) > mostSheetRecords ? tooMany : undefined}
        />
        {values.format === 'csv' && (
          <Select label="Separate values by" withCheckIcon={false} data={delimiters} {...choice('delimiter')} />
        )}
      </DialogForm>
    </Dialog>
  )
}

/** With its header, a sheet holds one more row. */
const mostSheetRecords = 1_048_575
const tooMany = `A sheet holds ${mostSheetRecords.toLocaleString('en')} records. Choose CSV`

function Exporting({ id, onClose }: { id: string; onClose: () => void }) {
  const objects = useSchema()
  const { data: job, error, refetch, isFetching } = useQuery(jobQuery(id))
  useEffect(() => watchJob(id), [id])
  const title = job ? jobTitle(job, objects) : 'Exporting'
  return (
    <Dialog title={title} onClose={onClose}>
      {error && !job && <Failure error={error} onRetry={refetch} busy={isFetching} />}
      {job && <JobState job={job} title={title} />}
      {job && isActive(job) && (
        <p className={css.text}>
          You can close this. The export continues, and you are notified when the file is ready.
        </p>
      )}
      {job?.state === 'done' && (
        <p className={css.text}>The file is ready. It is also available under Background jobs for 7 days.</p>
      )}
      <DialogActions>
        {job && <CancelJob job={job} title={title} size="sm" />}
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {job && <DownloadExport job={job} size="sm" isMain />}
      </DialogActions>
    </Dialog>
  )
}
