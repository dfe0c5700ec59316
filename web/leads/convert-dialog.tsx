import { Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { contract } from '../../contract/index.ts'
import type { Input, Output } from '../../contract/operation.ts'
import { isId } from '../../contract/shared/ids.ts'
import { api } from '../client/api.ts'
import { useRecordTitles } from '../history/change-sets.ts'
import { builtInField, builtInObject } from '../records/data/built-in.ts'
import { saidOf } from '../records/data/known-values.ts'
import { isDeals, isStageField, pipelinesQuery, withFittingStage } from '../records/data/pipelines.ts'
import { recordsChanged } from '../records/data/record-cache.ts'
import type { RecordShape } from '../records/data/records-api.ts'
import { type FieldShape, type ObjectShape, useSchema } from '../records/data/schema.ts'
import { saidAndUndoable } from '../records/data/undo.ts'
import type { Values } from '../records/data/update-record.ts'
import { isEmpty } from '../records/data/value-text.ts'
import { NewRecordFields } from '../records/forms/new-record.tsx'
import { Loaded } from '../ui/basics/loaded.tsx'
import { Dialog } from '../ui/form/dialog.tsx'
import { DialogSubmit, Form } from '../ui/form/form.tsx'
import { useForm } from '../ui/form/use-form.ts'
import css from './convert.module.css'
import { type Chosen, TargetChoice } from './target-choice.tsx'

export type Conversion = Output<typeof contract.convertLead>
type Props = { lead: RecordShape; onClose: () => void }

/** Shows what would become of a lead, and lets the user decide otherwise. */
export function ConvertDialog({ lead, onClose }: Props) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: ['conversion', lead.id],
    queryFn: async ({ signal }) => ({
      found: await api.convertLead({ id: lead.id, deal: null, dry_run: true }, { signal }),
      pipelines: await client.ensureQueryData(pipelinesQuery),
    }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog title={`Convert ${String(lead.title)}`} size={560} tall onClose={onClose}>
      <Loaded query={query} what="conversion preview" height={320}>
        {({ found, pipelines }) => {
          const pipeline = pipelines.find(({ is_archived }) => !is_archived)
          const stage = pipeline?.stages.find(({ kind, is_archived }) => kind === 'open' && !is_archived)
          const isChoice = pipelines.filter(({ is_archived }) => !is_archived).length > 1
          return (
            <ConvertForm
              lead={lead}
              found={found}
              begin={{ ...(isChoice && { pipeline: pipeline?.key }), stage: stage?.key }}
              onClose={onClose}
            />
          )
        }}
      </Loaded>
    </Dialog>
  )
}

type FormProps = Props & {
  found: Conversion
  /** The pipeline, if there are several, and the stage of the deal, by built-in key. */
  begin: Values
}
/** The fields of the deal are in it under `deal:` and their key. */
type Entered = { person: Chosen; organization: Chosen; has_deal: boolean } & Record<string, unknown>
const inDeal = (key: string) => `deal:${key}`

function ConvertForm({ lead, found, begin, onClose }: FormProps) {
  const schema = useSchema()
  const client = useQueryClient()
  const navigate = useNavigate()
  const called = (name: string) => builtInObject(schema, name)
  const deals = schema.find((object) => isDeals(object) && object.rights.create)
  const first = (of: Conversion['person']): Chosen => ({ how: of ? 'found' : 'none', id: null })
  const { form, values, errors, change } = useForm<Entered, Conversion, Input<typeof contract.convertLead>>({
    initial: {
      person: first(found.person),
      organization: first(found.organization),
      has_deal: deals !== undefined,
      ...startOf(deals, found, lead, begin),
    },
    input: (sent) => ({ ...missingIn(deals, sent), ...faultsOf(sent) }),
    ask: (entered) => ({
      id: lead.id,
      ...sentOf(entered.person, 'person'),
      ...sentOf(entered.organization, 'organization'),
      deal: deals && entered.has_deal ? { values: dealOf(entered) } : null,
    }),
    send: (sent) => api.convertLead(sent),
    fieldOf: (path) => path.replace(/^deal\.values\./, 'deal:').replace(/_id$/, ''),
    onDone: async (converted) => {
      const { person, organization, deal, change_set_id } = converted
      saidAndUndoable(`${String(lead.title)} converted.`, change_set_id, [lead.id])
      void recordsChanged(client)
      onClose()
      const object = deal ? deals : called(person ? 'people' : 'organizations')
      const result = deal ?? person ?? organization
      if (object && result)
        await navigate({ to: '/records/$object/$id', params: { object: object.key, id: result.id } })
    },
  })
  useDealName({ lead, found, values, name: deals && builtInField(deals, 'name'), change })
  const shown = deals ? fieldsOf(deals, begin, errors) : []
  const ofDeal = Object.fromEntries(shown.map(({ key }) => [key, values[inDeal(key)]]))
  return (
    <Form of={form} className="">
      <div className={css.parts}>
        <TargetChoice
          isFirst
          object={called('people')}
          found={found.person}
          value={values.person}
          error={errors.person}
          onChange={(person) => change({ person })}
        />
        <TargetChoice
          object={called('organizations')}
          found={found.organization}
          value={values.organization}
          error={errors.organization}
          onChange={(organization) => change({ organization })}
        />
        {deals && (
          <fieldset className={css.part}>
            <legend className={css.title}>{deals.label}</legend>
            <Switch
              className={css.below ?? ''}
              label="Create a deal"
              checked={values.has_deal}
              onChange={(event) => change({ has_deal: event.currentTarget.checked })}
            />
            {values.has_deal && (
              <div className={css.deal}>
                <NewRecordFields
                  isUnfocused
                  object={deals}
                  fields={shown}
                  values={ofDeal}
                  errors={Object.fromEntries(shown.map(({ key }) => [key, errors[inDeal(key)] ?? '']))}
                  onChange={(key, value) => change(prefixed(withFittingStage(deals, ofDeal, { [key]: value })))}
                />
              </div>
            )}
          </fieldset>
        )}
      </div>
      <p className={css.note}>{carriedOver(found.moved)}</p>
      <DialogSubmit of={form} action="Convert lead" onCancel={onClose} />
    </Form>
  )
}

type Naming = {
  lead: RecordShape
  found: Conversion
  values: Entered
  name: FieldShape | undefined
  change: (patch: Record<string, unknown>) => void
}

/** The deal is called like its organization or its person, until someone calls it otherwise. */
function useDealName({ lead, found, values, name, change }: Naming) {
  const { person, organization } = values
  // While someone types, it is what they typed.
  const titles = useRecordTitles([person.id, organization.id].filter((id) => id !== null && isId(id)) as string[])
  const titleOf = ({ how, id }: Chosen, proposed: { title: string } | null) =>
    how === 'found' ? proposed?.title : how === 'other' && id ? titles.get(id) : undefined
  const title = titleOf(organization, found.organization) ?? titleOf(person, found.person) ?? String(lead.title)
  const last = useRef(title)
  const key = name && inDeal(name.key)
  const current = key && values[key]
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed stays
  useEffect(() => {
    if (key && current === last.current) change({ [key]: title })
    last.current = title
  }, [title])
}

function carriedOver(moved: number) {
  const stays = 'The lead stays in the list as converted.'
  if (!moved) return stays
  const work = moved === 1 ? '1 note, activity or task' : `${moved} notes, activities and tasks`
  return `${stays} ${work} about it will also appear on these records.`
}

const prefixed = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [inDeal(key), value]))

const dealOf = (entered: Entered): Values =>
  saidOf(
    Object.fromEntries(
      Object.entries(entered).flatMap(([key, value]) => (key.startsWith('deal:') ? [[key.slice(5), value]] : [])),
    ),
  )

function startOf(deals: ObjectShape | undefined, found: Conversion, lead: RecordShape, begin: Values) {
  if (!deals) return {}
  const name = found.organization?.title ?? found.person?.title ?? String(lead.title)
  const empty = Object.fromEntries(deals.fields.map(({ key }) => [key, null]))
  const given = Object.entries({ name, ...begin }).flatMap(([key, value]) => {
    const field = builtInField(deals, key)
    return field ? [[field.key, value]] : []
  })
  return prefixed({ ...empty, ...Object.fromEntries(given) })
}

const asked = ['name', 'amount', 'pipeline', 'stage', 'expected_close']

/** What deals need, and what the server asked for. */
function fieldsOf(deals: ObjectShape, begin: Values, errors: Record<string, string>) {
  const usual = asked
    .filter((key) => key !== 'pipeline' || 'pipeline' in begin)
    .flatMap((key) => builtInField(deals, key) ?? [])
  const refused = deals.fields.filter(({ key }) => errors[inDeal(key)] !== undefined)
  return [...new Set([...usual, ...neededOf(deals), ...refused])].map((field) => ({
    ...field,
    description: '',
    is_required: field.is_required || isStageField(deals, field),
  }))
}

function sentOf({ how, id }: Chosen, key: 'person' | 'organization') {
  if (how === 'none') return { [key]: false }
  return how === 'other' ? { [`${key}_id`]: id ?? '' } : {}
}

/** The server would name the deal itself. Someone who empties the name wants to be asked. */
function missingIn(deals: ObjectShape | undefined, { deal }: Input<typeof contract.convertLead>) {
  if (!deals || !deal) return {}
  const empty = neededOf(deals).filter(({ key }) => isEmpty(deal.values?.[key]))
  return Object.fromEntries(empty.map(({ key }) => [inDeal(key), 'Enter a value']))
}

const neededOf = ({ fields }: ObjectShape) =>
  fields.filter(
    ({ is_required, is_read_only, default_value }) => is_required && !is_read_only && isEmpty(default_value),
  )

function faultsOf({ person, person_id, organization, organization_id, deal }: Input<typeof contract.convertLead>) {
  const faults: Record<string, string> = {}
  if (person_id === '') faults.person = 'Choose a person'
  if (organization_id === '') faults.organization = 'Choose an organization'
  if (person === false && organization === false && !deal) faults.person = 'Choose at least one of the three'
  return faults
}
