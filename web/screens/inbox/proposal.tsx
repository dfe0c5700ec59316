import { Button, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { shownAddress } from '../../../contract/visitor-address.ts'
import { api } from '../../client/api.ts'
import { useSignedIn } from '../../client/session.ts'
import { type Conversation, nameOf, type Proposal } from '../../inbox/inbox.ts'
import { Ago } from '../../ui/ago.tsx'
import { reasonOf } from '../../ui/form-errors.ts'
import { asNearMoment, withNearMoments } from '../../ui/moments.ts'
import { say } from '../../ui/notices.tsx'
import { FormFailure } from '../../ui/states.tsx'
import { Editor } from './editor.tsx'
import css from './proposal.module.css'

const MarkdownView = lazy(async () => ({ default: (await import('../../notes/markdown-view.tsx')).MarkdownView }))

/** Whoever approves a mail has to see where it goes. */
const emailOf = (address: string) => (address.includes('@') ? shownAddress(address) : undefined)

type Doing = 'look' | 'edit' | 'reject'

type Props = { of: Proposal; participants: Conversation['participants'] }

/** What an agent wants to send. A person approves it, as it is or edited, or rejects it with words. */
export function ProposalCard({ of: proposal, participants }: Props) {
  const client = useQueryClient()
  const { may } = useSignedIn()
  const [doing, setDoing] = useState<Doing>('look')
  const [text, setText] = useState(proposal.text)
  const [note, setNote] = useState('')
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'reject') =>
      api.decideProposal({
        id: proposal.id,
        decision,
        ...(decision === 'approve' && text !== proposal.text && { text }),
        note,
        anyway: proposal.changed !== null,
      }),
    onSuccess: ({ state }) =>
      say(state === 'rejected' ? 'Rejected. The agent can read your words.' : 'Approved. The message is sent.'),
    onSettled: () => client.invalidateQueries({ queryKey: ['inbox'] }),
  })
  const names = (addresses: string[]) =>
    addresses.map((address) => emailOf(address) ?? nameOf({ address, name: null }, participants)).join(', ')
  const approve = () => decide.mutate('approve')
  const from = proposal.client ? `${proposal.user_name}, via ${proposal.client}` : proposal.user_name
  return (
    <article className={css.card} aria-label={`Proposed reply by ${proposal.user_name}`}>
      <header className={css.head}>
        <Bot size={16} aria-hidden="true" />
        <div>
          <b>{from}</b> proposes a message <Ago at={proposal.created_at} />
          <small>
            to {names(proposal.to)}
            {proposal.cc.length > 0 && `, copy to ${names(proposal.cc)}`} · expires {asNearMoment(proposal.expires_at)}
          </small>
        </div>
      </header>
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
      {doing === 'edit' ? (
        <Editor
          label="Proposed message"
          initial={text}
          saved={proposal.text}
          isFocused
          hasMentions={false}
          onChange={setText}
          onSave={approve}
          onCancel={() => setDoing('look')}
        />
      ) : (
        <div className={css.text}>
          <Suspense fallback={<p>{text}</p>}>
            <MarkdownView text={text} />
          </Suspense>
        </div>
      )}
      {doing !== 'look' && (
        <Textarea
          label={doing === 'reject' ? 'Why not? The agent reads it.' : 'Words for the agent (optional)'}
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
                {proposal.changed ? 'Approve anyway' : 'Approve and send'}
              </Button>
            </>
          ) : (
            <>
              <Button
                variant="default"
                size="sm"
                onClick={() => {
                  setText(proposal.text)
                  setDoing('look')
                }}
              >
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
        <p className={css.rule}>Someone who may send messages decides about it.</p>
      )}
    </article>
  )
}
