import { SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ApiCall, snippetsOf } from '../../../contract/document/snippets.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { leadSourcePage } from '../../client/areas.ts'
import { useSignedIn } from '../../client/session.ts'
import type { FieldShape, ObjectShape } from '../../records/data/schema.ts'
import { fieldKinds } from '../../records/fields/field-kinds.ts'
import { Part } from '../../ui/basics/layout.tsx'
import { Loaded } from '../../ui/basics/loaded.tsx'
import { type Column, DataTable } from '../../ui/page/table.tsx'
import { CodeBlock, CopyCode } from '../../ui/text/code.tsx'
import css from './shared/lead-sending.module.css'
import { type LeadSource, sourcesQuery, useLeads } from './shared/queries.ts'

/** How other systems send leads to this Kith, with the company's own sources and fields. */
export function LeadsIn() {
  const { may } = useSignedIn()
  const sources = useQuery({ ...sourcesQuery, enabled: may('leads.manage') })
  const leads = useLeads()
  if (!leads) return null
  if (!may('leads.manage')) return <Reference leads={leads} sources={[]} />
  return (
    <Loaded query={sources} what="sources" height={320}>
      {(all) => <Reference leads={leads} sources={all.filter(({ is_active }) => is_active)} />}
    </Loaded>
  )
}

type Props = { leads: ObjectShape; sources: LeadSource[] }

function Reference({ leads, sources }: Props) {
  const [chosen, choose] = useState<string | null>(null)
  const source = sources.find(({ id }) => id === chosen) ?? sources[0]
  return (
    <div className={css.leadsIn}>
      <Part
        title="Send leads to Kith"
        about="Websites use a form, other systems the REST API with a key, and agents the submit_lead tool. Every new lead then goes through the routes."
      >
        <Steps sources={sources} source={source} onChoose={choose} />
      </Part>
      <Part title="Request" about="With your own source and fields, ready to paste.">
        <Snippets of={callFor(leads, source)} form={source?.embed.script} />
      </Part>
      <Part
        title="Responses"
        about="Send an Idempotency-Key with each lead, so that repeating a request after a timeout creates no duplicate."
      >
        <Answers />
      </Part>
      <Part title="Fields" about="The keys to use in values.">
        <Fields of={leads} />
      </Part>
    </div>
  )
}

type StepsProps = { sources: LeadSource[]; source: LeadSource | undefined; onChoose: (id: string | null) => void }

const Steps = ({ sources, source, onChoose }: StepsProps) => (
  <ol className={css.numbered}>
    <li>
      <span>
        Create an API key under <Link to={pages.apiKeys}>API Keys</Link> and give it to the other system as
        KITH_API_KEY.
      </span>
    </li>
    <li>
      {source ? (
        <>
          <span>Choose the lead source. It assigns leads, finds duplicates and adds tags.</span>
          <div className={css.chosen}>
            <Select
              aria-label="Lead source"
              data={sources.map(({ id, name }) => ({ value: id, label: name }))}
              value={source.id}
              onChange={onChoose}
            />
            <CopyCode value={source.id} what="source ID" whole />
            <Link to={leadSourcePage} params={{ id: source.id }}>
              Settings
            </Link>
          </div>
        </>
      ) : (
        <span>
          Without a lead source, leads are created as records. <Link to="/company/website-leads">Create a source</Link>{' '}
          to assign them and find duplicates.
        </span>
      )}
    </li>
  </ol>
)

function callFor(leads: ObjectShape, source: LeadSource | undefined): ApiCall {
  const known = new Map(leads.fields.map((field) => [field.built_in_key ?? field.key, field.key]))
  const values = Object.fromEntries(
    Object.entries(example).flatMap(([key, value]) => (known.has(key) ? [[known.get(key)!, value]] : [])),
  )
  const { origin } = window.location
  if (!source)
    return {
      method: 'POST',
      origin,
      needsKey: true,
      path: `/api/v1/records/${leads.key}`,
      body: { records: [values] },
      tool: { name: 'create_records', arguments: { object: leads.key, records: [values] } },
    }
  return {
    method: 'POST',
    origin,
    needsKey: true,
    path: `/api/v1/lead-sources/${source.id}/submissions`,
    body: { values },
    tool: { name: 'submit_lead', arguments: { source_id: source.id, values } },
  }
}

const example = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+15550100123',
  message: 'Please call me',
}

function Snippets({ of: call, form }: { of: ApiCall; form: string | undefined }) {
  const [language, setLanguage] = useState('curl')
  const all = [
    ...snippetsOf(call),
    { language: 'form', name: 'Website form', about: 'Paste it into your website', code: form },
  ].filter(({ code }) => code !== undefined)
  const shown = all.find((one) => one.language === language) ?? all[0]!
  return (
    <>
      <SegmentedControl
        aria-label="Language"
        data={all.map(({ language, name }) => ({ value: language, label: name }))}
        value={shown.language}
        onChange={setLanguage}
        className={css.languages}
      />
      <CodeBlock what={`${shown.name} snippet`} caption={shown.about} code={shown.code!} />
    </>
  )
}

const answers = [
  [
    '201',
    'Received and stored. Within seconds it becomes a new lead or is added to an existing one; the event lead.submitted reports which.',
  ],
  ['401', 'The key is missing or was deleted.'],
  ['422', 'A value is invalid. The response names its field.'],
  ['429', 'Too many requests. Wait for the number of seconds in Retry-After.'],
] as const

const Answers = () => (
  <dl className={css.answers}>
    {answers.map(([status, about]) => (
      <div key={status}>
        <dt>{status}</dt>
        <dd>{about}</dd>
      </div>
    ))}
  </dl>
)

const columns: Column<FieldShape>[] = [
  { key: 'name', label: 'Key', bare: true, cell: ({ key }) => <code>{key}</code> },
  { key: 'label', label: 'Field', cell: ({ label }) => label },
  {
    key: 'type',
    label: 'Type',
    cell: ({ type, options }) => (
      <span>
        {fieldKinds[type].label}
        {options && <span className={css.dim}>: {options.map(({ key }) => key).join(', ')}</span>}
      </span>
    ),
  },
]
const isWritable = ({ is_read_only, type }: FieldShape) => !is_read_only && type !== 'relation'

const Fields = ({ of: leads }: { of: ObjectShape }) => (
  <DataTable
    label="Fields"
    className={css.fieldTable}
    columns={columns}
    items={leads.fields.filter(isWritable)}
    keyOf={({ key }) => key}
  />
)
