import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Inbox, ShieldCheck } from 'lucide-react'
import { spamDays, spamPoints } from '../../../../contract/leads.ts'
import { Message } from '../../../ui/basics/states.tsx'
import { StateDot } from '../../../ui/basics/status.tsx'
import { FilterSelect } from '../../../ui/form/filter-select.tsx'
import { Log, LogRow, LogStates, LogTools } from '../../../ui/page/log.tsx'
import { asFull, asNearMoment } from '../../../ui/text/moments.ts'
import { type LeadSource, outcomeOf, type Submission, stateWords, submissionsQuery } from './lead-source.ts'
import { useLeadSearch } from './search.ts'
import { SubmissionDetail } from './submission-detail.tsx'
import css from './submissions.module.css'

const states = [
  { value: 'all', label: 'All' },
  { value: 'lead', label: 'Leads' },
  { value: 'received', label: 'Waiting' },
  { value: 'unconfirmed', label: 'Not confirmed' },
  { value: 'failed', label: 'Failed' },
  { value: 'spam', label: 'Spam' },
]

type Props = { sources: LeadSource[] /** Left out: of all of them. */; source?: LeadSource }

/** What visitors sent, newest first, and beside it everything about one. */
export function Submissions({ sources, source }: Props) {
  const { search, change } = useLeadSearch()
  const filter = { source_id: source?.id ?? search.source, state: search.state }
  const submissions = useInfiniteQuery(submissionsQuery(filter))
  return (
    <>
      <LogTools>
        <LogStates of={states} value={search.state} onChange={(state) => change({ state, submission: null })} />
        {!source && (
          <FilterSelect
            aria-label="Form"
            placeholder="All forms"
            data={sources.map(({ id, name }) => ({ value: id, label: name }))}
            value={search.source}
            onChange={(id) => change({ source: id, submission: null })}
          />
        )}
      </LogTools>
      {search.state === 'spam' && (
        <p className={css.hint}>
          Spam is kept with the reasons and deleted after {spamDays} days. The senders saw the usual thank-you page.
        </p>
      )}
      <Log
        query={submissions}
        one="Submission"
        many="submissions"
        filter={JSON.stringify(filter)}
        shown={search.submission}
        onClose={() => change({ submission: null })}
        empty={<None search={search} onClear={() => change({ state: null, source: null })} />}
        row={(one, isShown) => <SubmissionRow key={one.id} of={one} isShown={isShown} hasSource={!source} />}
        detail={(id) => <SubmissionDetail key={id} id={id} />}
      />
    </>
  )
}

type RowProps = { of: Submission; isShown: boolean; hasSource: boolean }

function SubmissionRow({ of: one, isShown, hasSource }: RowProps) {
  const name = one.name || one.email || 'No name'
  return (
    <LogRow search={{ submission: one.id }} isShown={isShown} className={css.row}>
      <bdi className={css.name}>{name}</bdi>
      <time dateTime={one.received_at} title={asFull(one.received_at)}>
        {asNearMoment(one.received_at)}
      </time>
      <span className={css.email}>
        {[one.name && one.email, hasSource && one.source_name, one.page && shortPage(one.page)]
          .filter(Boolean)
          .join(' · ') || outcomeOf(one)}
      </span>
      <span className={css.state}>
        {one.spam_score >= 40 && (
          <span className={css.score}>{`${one.spam_score} points (spam from ${spamPoints})`}</span>
        )}
        <StateDot of={stateWords[one.state]} />
      </span>
    </LogRow>
  )
}

/** The page without what is the same for all pages of a site. */
export function shortPage(page: string) {
  const url = URL.parse(page)
  return url ? url.host.replace(/^www\./, '') + (url.pathname === '/' ? '' : url.pathname) : page
}

function None({ search, onClear }: { search: ReturnType<typeof useLeadSearch>['search']; onClear: () => void }) {
  const all = (
    <Button variant="default" onClick={onClear}>
      Show all
    </Button>
  )
  if (search.state === 'spam')
    return (
      <Message icon={ShieldCheck} title="No spam" action={all}>
        Submissions that look like spam are kept here for {spamDays} days.
      </Message>
    )
  if (search.state || search.source)
    return (
      <Message icon={Inbox} title="No submissions match" action={all}>
        Choose another state or form.
      </Message>
    )
  return (
    <Message icon={Inbox} title="No submissions yet">
      Submissions appear here before they become leads. Open the page of the form and send one to try it.
    </Message>
  )
}
