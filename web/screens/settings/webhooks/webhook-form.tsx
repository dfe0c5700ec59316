import { MultiSelect, Select, Switch, TextInput } from '@mantine/core'
import { api } from '../../../client/api.ts'
import { type ObjectShape, useSchema } from '../../../records/data/schema.ts'
import { FilterBar } from '../../../records/filter/filter-bar.tsx'
import { errorUnder } from '../../../ui/basics/errors.ts'
import { Section } from '../../../ui/basics/page.tsx'
import { FieldGroup } from '../../../ui/form/field-group.tsx'
import { Form, FormBar } from '../../../ui/form/form.tsx'
import { errorsIn, type Header, HeaderList, headersOf } from '../../../ui/form/header-list.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import type { Webhook } from '../../../webhooks/webhook.ts'
import { EventChoice } from './event-choice.tsx'
import { typesFor } from './event-words.ts'
import css from './webhook-form.module.css'

type Values = Pick<
  Webhook,
  'target_url' | 'description' | 'events' | 'object' | 'filter_on' | 'skip_bulk' | 'is_ordered'
> & { filter: string; fields: string[]; headers: Header[] }

const initial: Values = {
  target_url: '',
  description: '',
  events: ['*'],
  object: null,
  filter: '',
  filter_on: 'after',
  fields: [],
  headers: [],
  skip_bulk: false,
  is_ordered: false,
}

const valuesOf = (webhook: Webhook): Values => ({
  target_url: webhook.target_url,
  description: webhook.description,
  events: webhook.events,
  object: webhook.object,
  filter: webhook.filter ?? '',
  filter_on: webhook.filter_on,
  fields: webhook.fields ?? [],
  headers: webhook.header_names.map((name) => ({ id: name, name, value: null })),
  skip_bulk: webhook.skip_bulk,
  is_ordered: webhook.is_ordered,
})

type Saved = Webhook & { secret?: string }
type Props = {
  webhook?: Webhook
  onSaved: (saved: Saved) => unknown
  /** Left out: changes are discarded instead. */
  onCancel?: () => void
}

/** Everything about a webhook that can be chosen, for a new one and for one that exists. */
export function WebhookForm({ webhook, onSaved, onCancel }: Props) {
  const objects = useSchema()
  const rules = rulesOf(
    () => import('../../../../contract/webhooks.ts'),
    ({ webhooks }) =>
      errorsIn(webhook ? webhooks.updateWebhook.input.omit({ id: true }) : webhooks.createWebhook.input),
  )
  const made = useForm({
    input: rules,
    initial: webhook ? valuesOf(webhook) : initial,
    ask: ({ filter, fields, headers, ...rest }: Values) => ({
      ...rest,
      target_url: rest.target_url.trim(),
      filter: filter || null,
      fields: fields.length ? fields : null,
      headers: headersOf(headers, webhook?.header_names),
    }),
    send: async (sent): Promise<Saved> =>
      webhook
        ? api.updateWebhook({ id: webhook.id, ...sent })
        : api.createWebhook({ ...sent, headers: sent.headers as Record<string, string> }),
    ...(webhook && { read: valuesOf }),
    onDone: onSaved,
  })
  const { form, values, change, text, checked, errors } = made
  const object = objects.find(({ key }) => key === values.object)
  const toObject = (key: string | null) => {
    const known = typesFor(objects.find((one) => one.key === key)) as string[]
    const events = values.events.filter((type) => type === '*' || known.includes(type))
    change({ object: key, filter: '', fields: [], events: events.length ? events : ['*'] })
  }
  return (
    <Form of={form} sections>
      <Section title="Endpoint" about="Kith sends a POST request with JSON to this URL for every event.">
        <div className={css.fields}>
          <TextInput
            label="URL"
            type="url"
            inputMode="url"
            placeholder="https://example.com/webhooks/kith"
            spellCheck={false}
            autoComplete="off"
            {...text('target_url')}
          />
          <TextInput
            label="Description"
            description="Optional. Shown in the list of webhooks."
            autoComplete="off"
            {...text('description')}
          />
        </div>
      </Section>
      <Section title="Events" about="A change fires one event of each type that applies.">
        <div className={css.fields}>
          <Select
            label="Records"
            data={[
              { value: all, label: 'All objects' },
              ...objects.map(({ key, label_plural }) => ({ value: key, label: label_plural })),
            ]}
            value={values.object ?? all}
            error={errors.object}
            onChange={(key) => toObject(key === all ? null : key)}
          />
          <EventChoice
            events={values.events}
            types={typesFor(object)}
            error={errorUnder(errors, 'events')}
            onChange={(events) => change({ events })}
          />
          {object && <Conditions of={{ object, webhook, values, change, errors }} />}
        </div>
      </Section>
      <Section title="Request" about="What is sent, and with which headers. Every request also has a signature.">
        <div className={css.fields}>
          {object ? (
            <FieldChoice of={{ object, webhook, values, change, errors }} />
          ) : (
            <p className={css.hint}>
              All fields that you can read are sent. To send only some, choose one object above.
            </p>
          )}
          <HeaderList headers={values.headers} errors={errors} onChange={(headers) => change({ headers })} />
        </div>
      </Section>
      <Section title="Delivery">
        <div className={css.switches}>
          <Switch
            label="Skip bulk changes"
            description="Nothing is sent for imports, bulk edits and calls that change several records."
            {...checked('skip_bulk')}
          />
          <Switch
            label="Keep the order per record"
            description="Later events of a record wait until earlier ones are delivered or fail permanently."
            {...checked('is_ordered')}
          />
        </div>
      </Section>
      <FormBar of={made} save={webhook ? 'Save webhook' : 'Create webhook'} onCancel={onCancel} />
    </Form>
  )
}

/** In place of the key of an object. */
const all = '*'

type PartProps = {
  of: {
    object: ObjectShape
    webhook: Webhook | undefined
    values: Values
    change: (patch: Partial<Values>) => void
    errors: Record<string, string>
  }
}

/** Which records of the object count, as they are after the change or were before it. */
const Conditions = ({ of: { object, webhook, values, change, errors } }: PartProps) => (
  <>
    <FieldGroup
      legend="Only records that match"
      error={errors.filter ?? (values.filter === webhook?.filter && webhook.filter_error)}
    >
      <FilterBar key={object.key} object={object.key} value={values.filter} onChange={(filter) => change({ filter })} />
    </FieldGroup>
    {values.filter !== '' && (
      <Select
        label="Compare the record"
        description={
          values.filter_on === 'before'
            ? 'The filter must match the record as it was: for example, deals that leave a stage. New records never match.'
            : 'The filter must match the record as it is after the change: for example, deals that are won now.'
        }
        data={[
          { value: 'after', label: 'After the change' },
          { value: 'before', label: 'Before the change' },
        ]}
        value={values.filter_on}
        error={errors.filter_on}
        onChange={(chosen) => change({ filter_on: chosen as Webhook['filter_on'] })}
      />
    )}
  </>
)

function FieldChoice({ of: { object, values, change, errors } }: PartProps) {
  const known = object.columns.map(({ key, label }) => ({ value: key, label }))
  // A field that was archived since stays in the list, so that it can be removed.
  const gone = values.fields.filter((key) => !known.some(({ value }) => value === key))
  return (
    <MultiSelect
      label="Fields to send"
      description="Other fields are left out, including from the list of changes."
      placeholder={values.fields.length ? undefined : 'All fields that you can read'}
      data={[...known, ...gone.map((key) => ({ value: key, label: `${key} (removed)` }))]}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Send all fields' }}
      value={values.fields}
      error={errorUnder(errors, 'fields')}
      onChange={(fields) => change({ fields })}
    />
  )
}
