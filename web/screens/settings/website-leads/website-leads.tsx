import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { FormInput, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formTitleIn } from '../../../../contract/built-in/form-labels.ts'
import { api } from '../../../client/api.ts'
import { leadSourcePage } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { StateDot } from '../../../ui/basics/status.tsx'
import { Dialog } from '../../../ui/form/dialog.tsx'
import { AskName, Form } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { RowLink } from '../../../ui/page/rows.tsx'
import { type Column, DataTable } from '../../../ui/page/table.tsx'
import { PageTabs } from '../../../ui/page/tabs.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import { CompanyPage } from '../company-area.tsx'
import { LeadSettingsTab } from './lead-settings.tsx'
import { type LeadSource, sourcesQuery, stateOf, useLeadsChanged } from './lead-source.ts'
import { type AreaTab, areaTabs, useLeadSearch } from './search.ts'
import { Submissions } from './submissions.tsx'
import css from './website-leads.module.css'

const labels: Record<AreaTab, string> = { forms: 'Forms', submissions: 'Submissions', settings: 'Lead settings' }

export function WebsiteLeads() {
  const { may } = useSignedIn()
  const { search, openTab } = useLeadSearch()
  const [isAdding, add] = useState(false)
  const { data } = useQuery({ ...sourcesQuery, enabled: may('leads.manage') })
  const tab = areaTabs.find((one) => one === search.tab) ?? 'forms'
  const parts: Record<AreaTab, ReactNode> = {
    forms: <SourceList />,
    submissions: <Submissions sources={data ?? []} />,
    settings: <LeadSettingsTab />,
  }
  return (
    <CompanyPage
      title="Website leads"
      lead="Forms for your websites. Every submission is stored unchanged, checked for spam and turned into a lead."
      needs="leads.manage"
      wide
      actions={
        data?.length ? (
          <Button leftSection={<Plus size={15} />} onClick={() => add(true)}>
            New form
          </Button>
        ) : undefined
      }
    >
      <PageTabs label="Website leads" of={labels} parts={parts} tab={tab} onTab={openTab} />
      {isAdding && <NewForm onClose={() => add(false)} />}
    </CompanyPage>
  )
}

function useCreate() {
  const navigate = useNavigate()
  const changed = useLeadsChanged()
  return async (name: string) => {
    const made = await api.createLeadSource({ name, title: name })
    await navigate({ to: leadSourcePage, params: { id: made.id } })
    void changed(made)
  }
}

function NewForm({ onClose }: { onClose: () => void }) {
  const create = useCreate()
  return (
    <Dialog title="New form" onClose={onClose}>
      <AskName
        about="It starts with name, email, phone, company and message. Anyone with the link can open its page immediately. You can change everything later, or close the form."
        input={rulesOf(
          () => import('../../../../contract/lead-sources.ts'),
          ({ leadSources }) => leadSources.createLeadSource.input.pick({ name: true }),
        )}
        name=""
        action="Create form"
        send={create}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** The first form needs a name only, which is there already. */
function FirstForm() {
  const { company } = useSignedIn()
  const create = useCreate()
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../../../contract/lead-sources.ts'),
      ({ leadSources }) => leadSources.createLeadSource.input.pick({ name: true }),
    ),
    initial: { name: formTitleIn(company.language) },
    isGuarded: false,
    send: ({ name }) => create(name),
    onDone: () => {},
    focusOnRefusal: 'name',
  })
  return (
    <Message icon={FormInput} title="Turn visitors into leads">
      Create a form with name, email, phone, company and message, then paste one line into your website or share its
      page. The page is open to anyone with the link.
      <Form of={form} className={css.first}>
        <TextInput aria-label="Name of the form" autoComplete="off" {...text('name')} />
        <Button type="submit" loading={form.isPending}>
          Create form
        </Button>
      </Form>
    </Message>
  )
}

const columns: Column<LeadSource>[] = [
  {
    key: 'name',
    label: 'Form',
    bare: true,
    cell: ({ id, name, owner_name }) => (
      <>
        <RowLink to={leadSourcePage} params={{ id }}>
          {name}
        </RowLink>
        <span className={css.owner}>{owner_name ?? 'Former member'}</span>
      </>
    ),
  },
  {
    key: 'state',
    label: 'State',
    bare: true,
    cell: (source) => (
      <>
        <StateDot of={stateOf(source)} />
        {source.problem && source.is_active && <span className={css.about}>{source.problem}</span>}
      </>
    ),
  },
  { key: 'leads', label: 'Leads, 30 days', cell: ({ leads_30d }) => asNumber(leads_30d) },
  {
    key: 'waiting',
    label: 'Waiting',
    cell: (source) => <Count of={source} state="received" count={source.waiting} />,
  },
  {
    key: 'failed',
    label: 'Failed',
    cell: (source) => <Count of={source} state="failed" count={source.failed} tone="bad" />,
  },
  { key: 'spam', label: 'Spam', cell: (source) => <Count of={source} state="spam" count={source.spam} /> },
  {
    key: 'last',
    label: 'Last submission',
    cell: ({ last_submission_at }) =>
      last_submission_at ? <Ago at={last_submission_at} /> : <span className={css.dim}>Never</span>,
  },
]

function SourceList() {
  const sources = useQuery(sourcesQuery)
  return (
    <LoadedList query={sources} what="forms" height={220} empty={<FirstForm />}>
      {(items) => (
        <DataTable
          label="Forms"
          className={css.table}
          columns={columns}
          items={items}
          row={({ is_active }) => ({ 'data-off': !is_active || undefined })}
        />
      )}
    </LoadedList>
  )
}

type CountProps = { of: LeadSource; state: 'received' | 'failed' | 'spam'; count: number; tone?: 'bad' }

const words = { received: 'waiting', failed: 'failed', spam: 'spam' }

/** Above the link of the whole row. */
function Count({ of: { id, name }, state, count, tone }: CountProps) {
  if (!count) return <span className={css.dim}>0</span>
  // Those that wait may also wait for a confirmation.
  const search = { tab: 'submissions' as const, ...(state !== 'received' && { state }) }
  return (
    <Link
      to={leadSourcePage}
      params={{ id }}
      search={search}
      className={css.count}
      data-tone={tone}
      aria-label={`${asNumber(count)} ${words[state]} submissions of ${name}`}
    >
      {asNumber(count)}
    </Link>
  )
}
