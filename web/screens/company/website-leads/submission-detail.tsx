import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCw, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../../../client/api.ts'
import { leadSourcePage } from '../../../client/areas.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { asMinute } from '../../../ui/moments.ts'
import { complain, say } from '../../../ui/notices.tsx'
import {
  outcomeOf,
  type SubmissionDetails,
  stateWords,
  submissionQuery,
  useLeadsChanged,
  useLeadsObject,
  viaWords,
} from './lead-source.ts'
import { useLeadSearch } from './search.ts'
import { StateDot } from './state-dot.tsx'
import css from './submissions.module.css'

/** Everything about a submission as it was received, and what became of it. */
export function SubmissionDetail({ id }: { id: string }) {
  const submission = useQuery(submissionQuery(id))
  return (
    <Loaded query={submission} what="the submission" height={320}>
      {(one) => (
        <>
          <header className={css.head}>
            <h3>
              <bdi>{one.name || one.email || 'Without a name'}</bdi>
            </h3>
            <StateDot of={stateWords[one.state]} />
            <Act of={one} />
          </header>
          {one.reason && (
            <p className={css.reason} data-tone={one.state === 'failed' ? 'bad' : undefined}>
              {one.reason}
            </p>
          )}
          <Group title="Outcome">
            <Outcome of={one} />
          </Group>
          <Group title="As received">
            <Values of={one} />
          </Group>
          {one.consent_version !== null && (
            <Group title="Consent">
              <Facts
                of={[
                  ['Version', String(one.consent_version)],
                  ['Text', one.consent_text],
                  ['Agreed', one.consent_at && asMinute(one.consent_at)],
                ]}
              />
            </Group>
          )}
          <Group title="Visit">
            <Visit of={one} />
          </Group>
          <Group title="Spam check">
            <Facts
              of={[
                ['Score', `${one.spam_score} points`],
                ['Reasons', one.spam_reasons.length ? <Reasons key="reasons" of={one.spam_reasons} /> : 'None'],
              ]}
            />
          </Group>
        </>
      )}
    </Loaded>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={css.group} aria-label={title}>
    <h4>{title}</h4>
    {children}
  </section>
)

const Reasons = ({ of }: { of: string[] }) => (
  <ul className={css.reasons}>
    {of.map((reason) => (
      <li key={reason}>{reason}</li>
    ))}
  </ul>
)

const Outcome = ({ of: one }: { of: SubmissionDetails }) => (
  <Facts
    of={[
      ['Result', outcomeOf(one)],
      [
        'Lead',
        one.lead_id && (
          <Link key="lead" to="/records/$object/$id" params={{ object: 'leads', id: one.lead_id }}>
            Open lead
          </Link>
        ),
      ],
      ['Processed', one.processed_at && asMinute(one.processed_at)],
      ['Address confirmed', one.confirmed_at && asMinute(one.confirmed_at)],
      ['Automatic reply', one.replied_at && asMinute(one.replied_at)],
    ]}
  />
)

function Values({ of: { values } }: { of: SubmissionDetails }) {
  const leads = useLeadsObject()
  const place = (key: string) => leads?.fields.findIndex((field) => field.key === key) ?? 0
  const entries = Object.entries(values).sort(([a], [b]) => place(a) - place(b))
  if (!entries.length) return <p className={css.quiet}>Nothing was entered.</p>
  const written = entries.map(([key, value]): [string, ReactNode] => [
    leads?.byKey.get(key)?.label ?? key,
    <span key={key} className={css.value}>
      {[value].flat().map(String).join(', ') || '—'}
    </span>,
  ])
  return <Facts of={written} />
}

const Visit = ({ of: one }: { of: SubmissionDetails }) => (
  <Facts
    of={[
      [
        'Form',
        <Link key="form" to={leadSourcePage} params={{ id: one.source_id }}>
          <bdi>{one.source_name}</bdi>
        </Link>,
      ],
      ['Received', asMinute(one.received_at)],
      ['Sent with', viaWords[one.via]],
      ['Page', one.page],
      ['Referrer', one.referrer],
      ['First UTM', utmText(one.first_utm)],
      ['Last UTM', utmText(one.last_utm)],
      ['Network', one.network],
      ['Browser', one.user_agent],
    ]}
  />
)

const utmText = (utm: Record<string, string>) =>
  Object.entries(utm)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ') || null

/** What can be done about one that did not become a lead. */
function Act({ of: { id, state } }: { of: SubmissionDetails }) {
  const changed = useLeadsChanged()
  const { search, change } = useLeadSearch()
  const isSpam = state === 'spam'
  const { mutate, isPending } = useMutation({
    mutationFn: () => (isSpam ? api.markNotSpam({ id }) : api.processLeadSubmission({ id })),
    onSuccess: () => {
      say(isSpam ? 'Not spam. It becomes a lead.' : 'The submission is processed again')
      // In a list of one state it would vanish under the reader's eyes.
      if (search.state) change({ state: null, submission: id })
      return changed()
    },
    onError: (error) => complain('The submission was not changed', error),
  })
  if (!isSpam && state !== 'failed') return null
  const Icon = isSpam ? ShieldCheck : RotateCw
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon size={13} aria-hidden="true" />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {isSpam ? 'Not spam' : 'Process again'}
    </Button>
  )
}
