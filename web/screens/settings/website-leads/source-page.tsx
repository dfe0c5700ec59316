import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ExternalLink, Pause, Play, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { pages } from '../../../../contract/shared/pages.ts'
import { api } from '../../../client/api.ts'
import { companySections } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { LoadedPage } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { StateDot, StatusLine, StatusNote } from '../../../ui/basics/status.tsx'
import { Confirm } from '../../../ui/form/dialog.tsx'
import { RowMenu } from '../../../ui/page/rows.tsx'
import { PageTabs } from '../../../ui/page/tabs.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { CopyCode } from '../../../ui/text/code.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import { CompanyPage } from '../company-area.tsx'
import { Builder } from './builder.tsx'
import { Embed } from './embed.tsx'
import { Handling } from './handling.tsx'
import { type LeadSource, sourceQuery, stateOf, useLeadsChanged } from './lead-source.ts'
import { type SourceTab, sourceTabs, useLeadSearch } from './search.ts'
import { Submissions } from './submissions.tsx'
import css from './website-leads.module.css'

const route = getRouteApi('/frame/company-area/company/website-leads/$id')

export function LeadSourcePage() {
  const { may } = useSignedIn()
  const { id } = route.useParams()
  return may('leads.manage') ? <KnownSource key={id} id={id} /> : <CompanyPage title="Form" needs="leads.manage" />
}

function KnownSource({ id }: { id: string }) {
  const source = useQuery(sourceQuery(id))
  return (
    <LoadedPage query={source} what="form" back={pages.company}>
      {(source) => <OneSource source={source} />}
    </LoadedPage>
  )
}

const labels: Record<SourceTab, string> = {
  form: 'Form',
  leads: 'Leads',
  embed: 'Embed',
  submissions: 'Submissions',
}

function OneSource({ source }: { source: LeadSource }) {
  const { search, openTab } = useLeadSearch()
  const tab = sourceTabs.find((one) => one === search.tab) ?? 'form'
  const parts: Record<SourceTab, ReactNode> = {
    form: <Builder source={source} />,
    leads: <Handling source={source} />,
    embed: <Embed source={source} />,
    submissions: <Submissions source={source} sources={[source]} />,
  }
  return (
    <CompanyPage
      title={source.name}
      lead={<CopyCode value={source.embed.page} what="address" whole />}
      wide
      actions={<Actions of={source} />}
    >
      <Attention of={source} />
      <Summary of={source} />
      <PageTabs label="About this form" of={labels} parts={parts} tab={tab} onTab={openTab} />
    </CompanyPage>
  )
}

const Summary = ({ of: source }: { of: LeadSource }) => (
  <StatusLine
    of={[
      ['State', <StateDot key="state" of={stateOf(source)} />],
      ['Leads, 30 days', asNumber(source.leads_30d)],
      ['Waiting', asNumber(source.waiting)],
      ['Failed', asNumber(source.failed)],
      ['Spam', asNumber(source.spam)],
      [
        'Last submission',
        source.last_submission_at ? (
          <Ago key="last" at={source.last_submission_at} />
        ) : (
          <span key="last" className={css.dim}>
            Never
          </span>
        ),
      ],
    ]}
  />
)

/** Why no leads arrive, and what to do about it. */
function Attention({ of: { is_active, problem } }: { of: LeadSource }) {
  if (!is_active)
    return (
      <StatusNote tone="quiet">
        <strong>This form is closed.</strong> Visitors see that it is closed, and nothing can be sent.
      </StatusNote>
    )
  if (!problem) return null
  return (
    <StatusNote tone="bad">
      <strong>Submissions cannot become leads.</strong> {problem} Submissions are kept, and you can process them again.{' '}
      <Link to="." search={{ tab: 'leads' }}>
        Owner and assignment
      </Link>
    </StatusNote>
  )
}

function Actions({ of: source }: { of: LeadSource }) {
  const [isDeleting, askDelete] = useState(false)
  const changed = useLeadsChanged()
  const navigate = useNavigate()
  const { id, is_active } = source
  const { mutate: turn, isPending } = useMutation({
    mutationFn: () => api.updateLeadSource({ id, is_active: !is_active }),
    onSuccess: (saved) => {
      say(saved.is_active ? 'Form opened' : 'Form closed')
      return changed(saved)
    },
    onError: (error) => complain('The form was not changed', error),
  })
  return (
    <>
      <Button
        component="a"
        href={source.embed.page}
        target="_blank"
        rel="noopener"
        variant="default"
        leftSection={<ExternalLink size={14} />}
      >
        Open page
      </Button>
      <Button
        variant="default"
        leftSection={is_active ? <Pause size={14} /> : <Play size={14} />}
        loading={isPending}
        onClick={() => turn()}
      >
        {is_active ? 'Close form' : 'Reopen form'}
      </Button>
      <RowMenu of="this form" actions={[{ label: 'Delete', icon: Trash2, open: () => askDelete(true) }]} />
      {isDeleting && (
        <Confirm
          title="Delete this form?"
          action="Delete"
          act={() => api.deleteLeadSource({ id })}
          onDone={async () => {
            say('Form deleted')
            await navigate({ to: companySections.websiteLeads.to })
            await changed()
          }}
          onClose={() => askDelete(false)}
        >
          <p>
            <bdi>{source.name}</bdi> closes on every website that shows it. Its leads are kept; its submissions are
            deleted after 30 days. This can’t be undone.
          </p>
        </Confirm>
      )}
    </>
  )
}
