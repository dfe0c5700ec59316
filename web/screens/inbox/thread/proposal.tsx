import { Button, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { shownAddress } from '../../../../contract/shared/visitor-address.ts'
import { abilitiesOf, channelsQuery, senderOf } from '../../../channels/channels.ts'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { type Conversation, nameOf, type Proposal } from '../../../conversations/inbox.ts'
import { MarkdownEditor } from '../../../markdown/note-editor.tsx'
import { reasonOf } from '../../../ui/basics/errors.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { FormFailure } from '../../../ui/basics/states.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { asNearMoment, withNearMoments } from '../../../ui/text/moments.ts'
import { Attachments } from './attachments.tsx'
import css from './proposal.module.css'

const MarkdownView = lazy(async () => ({ default: (await import('../../../markdown/markdown-view.tsx')).MarkdownView }))

type Doing = 'look' | 'edit' | 'reject'

type Props = {
  of: Proposal
  participants: Conversation['participants']
  /** Something happened since, or there is a newer one: it is folded. */
  isOutdated: boolean
}

/** What an agent wants to send. A person approves it, as it is or edited, or rejects it with words. */
export function ProposalCard({ of: proposal, participants, isOutdated }: Props) {
  const isAsked = new URLSearchParams(location.search).get('proposal') === proposal.id
  const [isOpen, setOpen] = useState(!isOutdated || isAsked)
  const client = useQueryClient()
  const { may, me } = useSignedIn()
  const { data: channels } = useQuery(channelsQuery)
  const channel = channels?.find(({ id }) => id === proposal.channel.id)
  const signature = abilitiesOf(channel).subject && channel?.signature.trim()
  const sender = channel ? senderOf(channel, me.name) : proposal.channel.name
  const [doing, setDoing] = useState<Doing>('look')
  const [text, setText] = useState(proposal.text)
  const [subject, setSubject] = useState(proposal.subject)
  const [note, setNote] = useState('')
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'reject') =>
      api.decideProposal({
        id: proposal.id,
        decision,
        ...(decision === 'approve' && text !== proposal.text && { text }),
        ...(decision === 'approve' && subject !== proposal.subject && { subject }),
        note,
        anyway: proposal.changed !== null,
      }),
    onSuccess: ({ state }) =>
      say(
        state === 'rejected'
          ? 'Rejected. The agent will see your feedback.'
          : proposal.send_at
            ? `Approved. Scheduled for ${asNearMoment(proposal.send_at)}.`
            : 'Approved. Sending…',
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ['inbox'] }),
  })
  const approve = () => decide.mutate('approve')
  const cancel = () => {
    setText(proposal.text)
    setSubject(proposal.subject)
    setNote('')
    setDoing('look')
  }
  const from = proposal.client ? `${proposal.user_name}, via ${proposal.client}` : proposal.user_name
  if (!isOpen)
    return (
      <button type="button" className={css.folded} aria-expanded={false} onClick={() => setOpen(true)}>
        <Bot size={16} />
        <span>
          <b>{from}</b> proposed a message <Ago at={proposal.created_at} />.{' '}
          {proposal.changed ? `Since then: ${withNearMoments(proposal.changed)}.` : 'There is a newer one below.'}
        </span>
      </button>
    )
  return (
    <article className={css.card} aria-label={`Proposed reply by ${proposal.user_name}`}>
      <header className={css.head}>
        <Bot size={16} />
        <div>
          <b>{from}</b> proposes a message <Ago at={proposal.created_at} />
          <small>Expires {asNearMoment(proposal.expires_at)}</small>
        </div>
      </header>
      <div className={css.facts}>
        <Facts of={factsOf(proposal, participants, sender)} />
      </div>
      {proposal.reason && (
        <p className={css.why}>
          <b>Why:</b> <span dir="auto">{proposal.reason}</span>
        </p>
      )}
      {proposal.changed && (
        <p className={css.changed} role="status">
          Since then: {withNearMoments(proposal.changed)}
        </p>
      )}
      {doing === 'edit' && proposal.subject && (
        <TextInput
          label="Subject"
          maxLength={500}
          value={subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
      )}
      {doing === 'edit' ? (
        <MarkdownEditor
          label="Proposed message"
          initial={text}
          saved={proposal.text}
          isFocused
          hasMentions={false}
          onChange={setText}
          onSave={approve}
          onCancel={cancel}
        />
      ) : (
        <div className={css.text}>
          <Suspense fallback={<p>{text}</p>}>
            <MarkdownView text={text} />
          </Suspense>
        </div>
      )}
      {signature && (
        <div className={css.signature} dir="auto">
          {signature}
        </div>
      )}
      <Quoted of={proposal} />
      {proposal.files.length > 0 && (
        <Attachments files={proposal.files} hrefOf={(file) => `/app/api/proposals/${proposal.id}/files/${file}`} />
      )}
      {doing !== 'look' && (
        <Textarea
          label={doing === 'reject' ? 'Reason (shown to the agent)' : 'Feedback for the agent (optional)'}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={2000}
          autoFocus={doing === 'reject'}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      )}
      <FormFailure>{decide.error && reasonOf(decide.error)}</FormFailure>
      {may('messages.send') ? (
        <footer className={css.actions}>
          <span className={css.rule}>{proposal.rule}</span>
          {doing === 'look' ? (
            <>
              <Button variant="default" size="sm" onClick={() => setDoing('reject')}>
                Reject
              </Button>
              <Button variant="default" size="sm" onClick={() => setDoing('edit')}>
                Edit
              </Button>
              <Button size="sm" loading={decide.isPending} onClick={approve}>
                {proposal.changed ? 'Approve anyway' : proposal.send_at ? 'Approve and schedule' : 'Approve and send'}
              </Button>
            </>
          ) : (
            <>
              <Button variant="default" size="sm" onClick={cancel}>
                Cancel
              </Button>
              <Button
                size="sm"
                loading={decide.isPending}
                onClick={() => decide.mutate(doing === 'edit' ? 'approve' : 'reject')}
              >
                {doing === 'edit' ? 'Approve edited message' : 'Reject proposal'}
              </Button>
            </>
          )}
        </footer>
      ) : (
        <p className={css.rule}>Only members who can send messages can approve this.</p>
      )}
    </article>
  )
}

/** What was decided against, folded. */
export function RejectedProposal({ of: { user_name, client, created_at, decided_by, note, text } }: { of: Proposal }) {
  return (
    <details className={css.rejected}>
      <summary>
        <Bot size={16} />
        <span>
          <b>{client ? `${user_name}, via ${client}` : user_name}</b> proposed a message <Ago at={created_at} />.
          Rejected
          {decided_by && ` by ${decided_by}`}.
        </span>
      </summary>
      {note && (
        <p dir="auto">
          <b>Feedback:</b> {note}
        </p>
      )}
      <div className={css.text}>
        <Suspense fallback={<p>{text}</p>}>
          <MarkdownView text={text} />
        </Suspense>
      </div>
    </details>
  )
}

/** The approver must see the recipients and everything sent with the text. */
function factsOf(
  proposal: Proposal,
  participants: Conversation['participants'],
  sender: string,
): [string, ReactNode][] {
  const { to, cc, bcc, outside, subject, send_at, template, provider_template: approved } = proposal
  const named = (addresses: string[]) =>
    addresses.length > 0 ? (
      <ul className={css.people}>
        {addresses.map((address) => (
          <li key={address}>
            {(address.includes('@') && shownAddress(address)) || nameOf({ address, name: null }, participants)}
            {outside.includes(address) && <mark>Not in this conversation</mark>}
          </li>
        ))}
      </ul>
    ) : undefined
  return [
    ['To', named(to)],
    ['Cc', named(cc)],
    ['Bcc', named(bcc)],
    ['Subject', subject || undefined],
    ['From', sender],
    ['When', send_at ? asNearMoment(send_at) : undefined],
    ['Template', template ?? undefined],
    ['WhatsApp sends', approved && `${[approved.name, ...approved.values].join(', ')} (${approved.language})`],
  ]
}

function Quoted({ of: { mode, quoted } }: { of: Proposal }) {
  if (!quoted) return null
  const what = mode === 'forward' ? 'Forwards the message from' : 'Quotes the message from'
  return (
    <details className={css.quoted} open={mode === 'forward'}>
      <summary>
        {what} <bdi>{quoted.from}</bdi>, {asNearMoment(quoted.at)}
      </summary>
      <p className={css.quotedText} dir="auto">
        {quoted.text}
      </p>
    </details>
  )
}
