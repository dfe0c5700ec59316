import { Button, Switch, TextInput, VisuallyHidden } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, Workflow } from 'lucide-react'
import { useState } from 'react'
import type { Pipeline } from '../../../../contract/pipelines.ts'
import { api } from '../../../client/api.ts'
import { pipelinesQuery } from '../../../records/data/pipelines.ts'
import { Part } from '../../../ui/basics/layout.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Dialog } from '../../../ui/form/dialog.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { RowOf, Rows } from '../../../ui/page/rows.tsx'
import { CompanyPage } from '../company-area.tsx'
import { useSchemaChanged } from '../whole-schema.ts'
import { PipelinePart } from './pipeline-part.tsx'
import css from './pipelines.module.css'

export function Pipelines() {
  const pipelines = useQuery(pipelinesQuery)
  const [edited, edit] = useState<Pipeline | 'new'>()
  return (
    <CompanyPage
      title="Pipelines"
      lead="The stages that deals go through. A stage sets the probability of its deals and can require fields."
      needs="objects.manage"
      actions={
        <Button leftSection={<Plus size={15} />} onClick={() => edit('new')}>
          New pipeline
        </Button>
      }
    >
      <Loaded query={pipelines} what="pipelines" height={420}>
        {(all) => (
          <div className={css.all}>
            <InUse pipelines={all.filter(({ is_archived }) => !is_archived)} onEdit={edit} />
            <Archived pipelines={all} />
          </div>
        )}
      </Loaded>
      {edited && <PipelineDialog pipeline={edited === 'new' ? undefined : edited} onClose={() => edit(undefined)} />}
    </CompanyPage>
  )
}

const InUse = ({ pipelines, onEdit }: { pipelines: Pipeline[]; onEdit: (pipeline: Pipeline) => void }) =>
  pipelines.map((pipeline, index) => (
    <PipelinePart
      key={pipeline.key}
      pipeline={pipeline}
      index={index}
      count={pipelines.length}
      onEdit={() => onEdit(pipeline)}
    />
  ))

/** Archived pipelines, and archived stages of the others. */
function Archived({ pipelines }: { pipelines: Pipeline[] }) {
  const changed = useSchemaChanged()
  const { mutate } = useMutation({
    mutationFn: ({ pipeline, stage }: { pipeline: string; stage?: string }) =>
      stage ? api.updateStage({ stage, is_archived: false }) : api.updatePipeline({ pipeline, is_archived: false }),
    onSuccess: changed,
    onError: (error) => complain('This was not restored', error),
  })
  type Entry = { pipeline: string; stage?: string; name: string; note: string }
  const entries = pipelines.flatMap(({ key, name, is_archived, stages }): Entry[] =>
    is_archived
      ? [{ pipeline: key, name, note: 'Pipeline' }]
      : stages
          .filter((stage) => stage.is_archived)
          .map((stage) => ({ pipeline: key, stage: stage.key, name: stage.name, note: `Stage of ${name}` })),
  )
  if (!entries.length) return null
  return (
    <Part title="Archived" about="Deals can no longer enter them. Their deals and history are kept.">
      <Rows label="Archived">
        {entries.map((entry) => (
          <RowOf
            key={`${entry.pipeline} ${entry.stage ?? ''}`}
            icon={Workflow}
            title={<bdi>{entry.name}</bdi>}
            note={entry.note}
          >
            <Button variant="default" size="compact-sm" onClick={() => mutate(entry)}>
              Restore <VisuallyHidden component="span">{entry.name}</VisuallyHidden>
            </Button>
          </RowOf>
        ))}
      </Rows>
    </Part>
  )
}

function PipelineDialog({ pipeline, onClose }: { pipeline: Pipeline | undefined; onClose: () => void }) {
  const changed = useSchemaChanged()
  const { form, text, checked } = useForm({
    input: rulesOf(
      () => import('../../../../contract/pipelines.ts'),
      ({ pipelines }) => pipelines.createPipeline.input.pick({ name: true, asks_lost_reason: true }),
    ),
    isGuarded: false,
    initial: { name: pipeline?.name ?? '', asks_lost_reason: pipeline?.asks_lost_reason ?? true },
    send: (values) =>
      pipeline ? api.updatePipeline({ pipeline: pipeline.key, ...values }) : api.createPipeline(values),
    onDone: async ({ name }) => {
      await changed()
      onClose()
      say(`${name} saved`)
    },
    focusOnRefusal: 'name',
  })
  return (
    <Dialog title={pipeline ? `Edit ${pipeline.name}` : 'New pipeline'} onClose={onClose}>
      <DialogForm of={form} action={pipeline ? 'Save pipeline' : 'Create pipeline'} onCancel={onClose}>
        <TextInput label="Name" autoComplete="off" data-autofocus {...text('name')} />
        <Switch
          label="Require a lost reason"
          description="A deal can only be marked as lost with a reason, in the web app and via the API."
          {...checked('asks_lost_reason')}
        />
      </DialogForm>
    </Dialog>
  )
}
