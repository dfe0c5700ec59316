import { Checkbox, Input, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../client/api.ts'
import { isDeals, usePipelines } from '../../records/data/pipelines.ts'
import { dashboardsKey } from '../../records/data/record-cache.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { FilterBar } from '../../records/filter/filter-bar.tsx'
import { wordsOf } from '../../ui/basics/errors.ts'
import { FormFailure } from '../../ui/basics/states.tsx'
import { Dialog } from '../../ui/form/dialog.tsx'
import { DialogSubmit, Form } from '../../ui/form/form.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import css from './builder.module.css'
import type { Dashboard, Widget as Defined, Scope } from './dashboard-api.ts'
import { type Draft, dateChoices, dateIn, draftOf, groupChoices, measureChoices, newDraft, widgetOf } from './draft.ts'
import { packed } from './places.ts'
import { isReport, ReportFields } from './report-widgets.tsx'
import { RangeSelect } from './scope-select.tsx'
import { typeNames, Widget } from './widget.tsx'

type Props = {
  /** Undefined: a new one. */
  of: Defined | undefined
  dashboard: Dashboard
  scope: Scope
  onSave: (widgets: Defined[]) => Promise<unknown>
  onClose: () => void
}

const types = Object.entries(typeNames).map(([value, label]) => ({ value, label }))

/** What a widget shows, with a preview that follows every choice. */
export function WidgetBuilder({ of: widget, dashboard, scope, onSave, onClose }: Props) {
  const objects = useSchema().filter(({ rights }) => rights.read !== 'none')
  const {
    form,
    values: draft,
    change,
  } = useForm({
    input: () => ({}),
    initial: (widget && draftOf(widget)) ?? newDraft(objects, dashboard.widgets),
    ask: (draft: Draft) => widgetOf(draft),
    send: (built) => onSave(packed([...dashboard.widgets.filter(({ id }) => id !== built.id), built])),
    onDone: onClose,
  })
  const built = widgetOf(draft)
  const [asked] = useDebouncedValue(built, 300)
  const around = {
    range: scope.range ?? dashboard.range ?? undefined,
    owner: scope.owner ?? dashboard.owner ?? undefined,
  }
  const preview = useQuery({
    queryKey: [...dashboardsKey, 'preview', asked, around],
    queryFn: async ({ signal }) => ({
      widget: asked,
      answer: await api.previewWidget({ widget: asked, ...around }, { signal }),
    }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const fault = preview.error ? wordsOf(preview.error) : (preview.data?.answer.error ?? undefined)
  return (
    <Dialog title={widget ? 'Edit widget' : 'Add widget'} size={980} tall onClose={onClose}>
      <Form of={form} className="">
        <div className={css.builder}>
          <div className={css.fields}>
            <Select
              label="Type"
              data={types}
              value={draft.type}
              maxDropdownHeight={360}
              data-autofocus
              onChange={(type) => type && change({ type: type as Draft['type'] })}
            />
            <TextInput
              label="Title"
              autoComplete="off"
              maxLength={100}
              placeholder={typeNames[draft.type]}
              value={draft.title}
              onChange={(event) => change({ title: event.currentTarget.value })}
            />
            {draft.type === 'text' ? (
              <Textarea
                label="Text"
                autosize
                minRows={4}
                maxRows={12}
                value={draft.text}
                onChange={(event) => change({ text: event.currentTarget.value })}
              />
            ) : isReport(draft.type) ? (
              <ReportFields type={draft.type} draft={draft} change={change} />
            ) : (
              <DataFields draft={draft} change={change} objects={objects} />
            )}
          </div>
          <section className={css.preview} aria-label="Preview">
            {preview.data ? (
              <Widget of={preview.data.widget} answer={{ ...preview.data.answer, error: null }} isLoading={false} />
            ) : (
              !fault && <Widget of={built} answer={undefined} isLoading />
            )}
            <FormFailure>{fault}</FormFailure>
          </section>
        </div>
        <DialogSubmit
          of={form}
          action={widget ? 'Save widget' : 'Add widget'}
          disabled={fault !== undefined}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}

type FieldsProps = { draft: Draft; change: (patch: Partial<Draft>) => void; objects: ObjectShape[] }

function DataFields({ draft, change, objects }: FieldsProps) {
  const { type } = draft
  const deals = objects.find(isDeals)
  const object = type === 'funnel' ? deals : objects.find(({ key }) => key === draft.object)
  if (!object) return null
  const groups = groupChoices(object)
  const isGrouped = ['bar', 'stacked_bar', 'line', 'area', 'donut', 'table', 'leaderboard'].includes(type)
  const hasMeasure = type !== 'funnel' && type !== 'list'
  const hasOrder = isGrouped && type !== 'leaderboard' && !draft.group_by.includes('(')
  return (
    <>
      {type === 'funnel' ? (
        <Funnel draft={draft} change={change} />
      ) : (
        <Select
          label="Records"
          data={objects.map(({ key, label_plural }) => ({ value: key, label: label_plural }))}
          value={draft.object}
          searchable
          onChange={(key) => {
            const next = objects.find((one) => one.key === key)
            if (next) change({ ...newDraft([next], []), type, title: draft.title, id: draft.id, place: draft.place })
          }}
        />
      )}
      <Input.Wrapper label="Filter" className={css.filter}>
        <FilterBar
          key={object.key}
          object={object.key}
          value={draft.filter}
          onChange={(filter) => change({ filter })}
        />
      </Input.Wrapper>
      {hasMeasure && (
        <Select
          label="Measure"
          data={measureChoices(object)}
          value={draft.measure}
          searchable
          onChange={(measure) => measure && change({ measure })}
        />
      )}
      {isGrouped && (
        <Select
          label="Group by"
          data={groups}
          value={draft.group_by}
          searchable
          onChange={(group_by) => group_by && change({ group_by, ...dateIn(group_by) })}
        />
      )}
      {(type === 'stacked_bar' || type === 'table') && (
        <Select
          label={type === 'table' ? 'Then by' : 'Split by'}
          data={type === 'table' ? [{ value: '', label: 'Nothing' }, ...groups] : groups}
          value={draft.split_by}
          searchable
          onChange={(split_by) => split_by !== null && change({ split_by })}
        />
      )}
      {hasOrder && (
        <Select
          label="Order"
          data={[
            { value: 'key', label: 'Default order' },
            { value: 'measure', label: 'Largest first' },
          ]}
          value={draft.order}
          onChange={(order) => order && change({ order: order as Draft['order'] })}
        />
      )}
      {type !== 'funnel' && (
        <Select
          label="Date field used for the time range"
          data={[{ value: '', label: 'All time' }, ...dateChoices(object)]}
          value={draft.date_field}
          onChange={(date_field) => date_field !== null && change({ date_field })}
        />
      )}
      {(type === 'funnel' || draft.date_field) && (
        <RangeSelect
          label="Range"
          none="Same as dashboard"
          value={draft.range || null}
          onChange={(range) => change({ range: range ?? '' })}
        />
      )}
      {type === 'number' && draft.date_field && (
        <Checkbox
          label="Compare with previous period"
          checked={draft.compare}
          onChange={(event) => change({ compare: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

function Funnel({ draft, change }: Omit<FieldsProps, 'objects'>) {
  const pipelines = usePipelines().filter(({ is_archived }) => !is_archived)
  return (
    <>
      {pipelines.length > 1 && (
        <Select
          label="Pipeline"
          data={pipelines.map(({ key, name }) => ({ value: key, label: name }))}
          value={draft.pipeline || pipelines[0]!.key}
          onChange={(pipeline) => pipeline && change({ pipeline })}
        />
      )}
      <Input.Wrapper
        label="Which deals"
        description={
          draft.mode === 'cohort'
            ? 'Of the deals created in the time range, how many reached each stage.'
            : 'Deals that entered a stage in the time range, regardless of when they were created.'
        }
      >
        <SegmentedControl
          fullWidth
          mt={6}
          data={[
            { value: 'in_period', label: 'In this period' },
            { value: 'cohort', label: 'Created in this period' },
          ]}
          value={draft.mode}
          onChange={(mode) => change({ mode: mode as Draft['mode'] })}
        />
      </Input.Wrapper>
    </>
  )
}
