import { Button, SegmentedControl, Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Inbox, ShieldCheck } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { spamDays } from '../../../../contract/leads.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Panel } from '../../../ui/layout.tsx'
import { itemsOf, LoadedList } from '../../../ui/loaded.tsx'
import { asFull, asNearMoment } from '../../../ui/moments.ts'
import { Message } from '../../../ui/states.tsx'
import { type LeadSource, outcomeOf, type Submission, stateWords, submissionsQuery } from './lead-source.ts'
import { useLeadSearch } from './search.ts'
import { StateDot } from './state-dot.tsx'
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
  const isNarrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false })
  const first = useFirst(itemsOf(submissions), JSON.stringify(filter))
  const shown = search.submission ?? (isNarrow ? undefined : first)
  return (
    <>
      <div className={css.tools}>
        {isNarrow ? (
          <Select
            aria-label="State"
            data={states}
            allowDeselect={false}
            value={search.state ?? 'all'}
            onChange={(state) => change({ state, submission: null })}
          />
        ) : (
          <SegmentedControl
            aria-label="State"
            data={states}
            value={search.state ?? 'all'}
            onChange={(state) => change({ state, submission: null })}
          />
        )}
        {!source && (
          <Select
            aria-label="Form"
            placeholder="All forms"
            clearable
            clearButtonProps={{ 'aria-label': 'All forms' }}
            data={sources.map(({ id, name }) => ({ value: id, label: name }))}
            value={search.source ?? null}
            onChange={(id) => change({ source: id, submission: null })}
          />
        )}
      </div>
      {search.state === 'spam' && (
        <p className={css.hint}>
          Kept with the reasons and deleted after {spamDays} days. Their senders got the same answer as everyone.
        </p>
      )}
      <LoadedList
        query={submissions}
        what="submissions"
        height={360}
        empty={<None search={search} onClear={() => change({ state: null, source: null })} />}
      >
        {(items) => (
          <div className={css.log}>
            <Panel as="ol" divided className={css.list} aria-label="Submissions" onKeyDown={moveFocus}>
              {items.map((one) => (
                <SubmissionRow key={one.id} of={one} isShown={one.id === shown} hasSource={!source} />
              ))}
            </Panel>
            {shown && !isNarrow && (
              <Panel as="section" className={css.detail} aria-label="Submission">
                <SubmissionDetail key={shown} id={shown} />
              </Panel>
            )}
          </div>
        )}
      </LoadedList>
      {shown && isNarrow && (
        <Dialog title="Submission" size={720} tall onClose={() => change({ submission: null })}>
          <SubmissionDetail key={shown} id={shown} />
        </Dialog>
      )}
    </>
  )
}

/** The newest one when the list was opened: others that arrive do not take its place. */
function useFirst(items: Submission[], filter: string) {
  const [first, setFirst] = useState<{ id: string; filter: string }>()
  const newest = items[0]?.id
  const isKnown = first && first.filter === filter && items.some(({ id }) => id === first.id)
  if (newest && !isKnown) setFirst({ id: newest, filter })
  return isKnown ? first.id : newest
}

/** With the arrow keys from one to the next. */
function moveFocus(event: KeyboardEvent<HTMLOListElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const links = [...event.currentTarget.querySelectorAll('a')]
  const next = links[links.indexOf(event.target as HTMLAnchorElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

type RowProps = { of: Submission; isShown: boolean; hasSource: boolean }

function SubmissionRow({ of: one, isShown, hasSource }: RowProps) {
  const name = one.name || one.email || 'Without a name'
  return (
    <li>
      <Link
        to="."
        search={((before: object) => ({ ...before, submission: one.id })) as never}
        replace
        resetScroll={false}
        className={css.row}
        aria-current={isShown ? 'true' : undefined}
      >
        <bdi className={css.name}>{name}</bdi>
        <time className={css.when} dateTime={one.received_at} title={asFull(one.received_at)}>
          {asNearMoment(one.received_at)}
        </time>
        <span className={css.email}>
          {[one.name && one.email, hasSource && one.source_name, one.page && shortPage(one.page)]
            .filter(Boolean)
            .join(' · ') || outcomeOf(one)}
        </span>
        <span className={css.state}>
          {one.spam_score >= 40 && <span className={css.score}>{one.spam_score} points</span>}
          <StateDot of={stateWords[one.state]} />
        </span>
      </Link>
    </li>
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
      They appear here as they arrive, before they become leads. Open the page of the form and send one to try it.
    </Message>
  )
}
