import { Button, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCw, ShieldAlert, ShieldCheck } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { spamPoints } from '../../../../contract/leads.ts'
import { api } from '../../../client/api.ts'
import { leadSourcePage } from '../../../client/areas.ts'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { StateDot } from '../../../ui/basics/status.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { LogHead, LogReason } from '../../../ui/page/log.tsx'
import { asMinute } from '../../../ui/text/moments.ts'
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
import css from './submissions.module.css'

/** Everything about a submission as it was received, and what became of it. */
export function SubmissionDetail({ id }: { id: string }) {
  const submission = useQuery(submissionQuery(id))
  const client = useQueryClient()
  const state = submission.data?.state
  const [known, setKnown] = useState(state)
  // The list beside it says the same.
  useEffect(() => {
    if (known && known !== state) void client.invalidateQueries({ queryKey: ['website-leads', 'submissions'] })
    setKnown(state)
  }, [client, known, state])
  return (
    <Loaded query={submission} what="the submission" height={320}>
      {(one) => (
        <>
          <LogHead>
            <h3>
              <bdi>{one.name || one.email || 'No name'}</bdi>
            </h3>
            <StateDot of={stateWords[one.state]} />
            <Spam of={one} />
          </LogHead>
          {one.reason && <LogReason tone={one.state === 'failed' ? 'bad' : 'warn'}>{one.reason}</LogReason>}
          <Group title="Outcome">
            <Outcome of={one} />
          </Group>
          <Group title={one.state === 'failed' ? 'Values' : 'As received'}>
            {one.state === 'failed' ? <Correction of={one} /> : <Values of={one} />}
          </Group>
          {one.consent_version !== null && (
            <Group title="Consent">
              <Facts
                of={[
                  ['Version', String(one.consent_version)],
                  ['Text', one.consent_text && <Linked key="text" text={one.consent_text} />],
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
                ['Score', `${one.spam_score} points (spam from ${spamPoints})`],
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

function Outcome({ of: one }: { of: SubmissionDetails }) {
  const leads = useLeadsObject()?.key ?? 'leads'
  return (
    <Facts
      of={[
        ['Result', outcomeOf(one)],
        [
          'Lead',
          one.lead_id && (
            <Link key="lead" to="/records/$object/$id" params={{ object: leads, id: one.lead_id }}>
              Open lead
            </Link>
          ),
        ],
        ['Assigned to', one.owner_name],
        ['Processed', one.processed_at && asMinute(one.processed_at)],
        ['Address confirmed', one.confirmed_at && asMinute(one.confirmed_at)],
        ['Automatic reply', one.replied_at && asMinute(one.replied_at)],
      ]}
    />
  )
}

function useEntries(values: SubmissionDetails['values']) {
  const leads = useLeadsObject()
  const place = (key: string) => leads?.fields.findIndex((field) => field.key === key) ?? 0
  const entries = Object.entries(values).sort(([a], [b]) => place(a) - place(b))
  return entries.map(([key, value]) => {
    const field = leads?.byKey.get(key)
    const labels = [value].flat().map((one) => field?.options?.find(({ key }) => key === one)?.label ?? String(one))
    return { key, value, label: field?.label ?? key, text: labels.join(', ') }
  })
}

function Values({ of: { values } }: { of: SubmissionDetails }) {
  const entries = useEntries(values)
  if (!entries.length) return <p className={css.quiet}>Nothing was entered.</p>
  const written = entries.map(({ key, label, text }): [string, ReactNode] => [
    label,
    <span key={key} className={css.value}>
      {text || '—'}
    </span>,
  ])
  return <Facts of={written} />
}

/** What failed can be corrected before it is processed again. */
function Correction({ of: { id, values } }: { of: SubmissionDetails }) {
  const entries = useEntries(values).filter(({ value }) => typeof value === 'string')
  const [changed, setChanged] = useState<Record<string, string>>({})
  const { mutate, isPending } = useAct(id, 'Processing the submission again', () =>
    api.processLeadSubmission({ id, ...(Object.keys(changed).length && { values: changed }) }),
  )
  return (
    <form
      className={css.correction}
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      {entries.map(({ key, label, value: sent }) => (
        <Textarea
          key={key}
          label={label}
          autosize
          minRows={1}
          value={changed[key] ?? String(sent)}
          onChange={({ currentTarget: { value } }) => setChanged((before) => ({ ...before, [key]: value }))}
        />
      ))}
      <Button type="submit" size="xs" leftSection={<RotateCw size={13} />} loading={isPending}>
        Process again
      </Button>
    </form>
  )
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

function useAct(id: string, said: string, act: () => Promise<unknown>) {
  const changed = useLeadsChanged()
  const { search, change } = useLeadSearch()
  return useMutation({
    mutationFn: act,
    onSuccess: () => {
      say(said)
      // In a list of one state it would vanish under the reader's eyes.
      if (search.state) change({ state: null, submission: id })
      return changed()
    },
    onError: (error) => complain('The submission was not changed', error),
  })
}

/** Either can be taken back with the other. What was added to a known lead is changed there. */
function Spam({ of: { id, state, outcome } }: { of: SubmissionDetails }) {
  const isSpam = state === 'spam'
  const said = isSpam ? 'Not spam. It becomes a lead.' : `Spam.${outcome ? ' Its lead is in the trash.' : ''}`
  const { mutate, isPending } = useAct(id, said, () => (isSpam ? api.markNotSpam({ id }) : api.markSpam({ id })))
  const Icon = isSpam ? ShieldCheck : ShieldAlert
  if (!isSpam && state !== 'failed' && outcome !== 'created') return null
  return (
    <Button variant="default" size="xs" leftSection={<Icon size={13} />} loading={isPending} onClick={() => mutate()}>
      {isSpam ? 'Not spam' : 'Mark as spam'}
    </Button>
  )
}

/** With links where it says [text](https://...), as visitors saw it. */
function Linked({ text }: { text: string }) {
  const parts = text.split(/(\[[^\]\n]+\]\(https?:\/\/[^\s()]+\))/)
  return parts.map((part) => {
    const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? []
    if (!href) return part
    return (
      <a key={part} href={href} target="_blank" rel="noreferrer">
        {label}
      </a>
    )
  })
}
