import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX, Send } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { wordsOf } from '../../../ui/basics/errors.ts'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { FormFailure } from '../../../ui/basics/states.tsx'
import { Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { CodeBlock } from '../../../ui/text/code.tsx'
import { headerLines, readable } from '../../../ui/text/http.ts'
import css from '../shared/lead-sending.module.css'
import { type Destination, type DestinationTrial, useMoney } from '../shared/queries.ts'

/** Shows the exact request before it is sent, and the exact answer after. */
export function DestinationTest({ of: { id, name }, onClose }: { of: Destination; onClose: () => void }) {
  const asMoney = useMoney()
  const preview = useQuery({
    queryKey: ['lead-sending', 'preview', id],
    queryFn: () => api.testLeadDestination({ id, dry_run: true }),
    gcTime: 0,
    retry: false,
  })
  const { mutate, data: sent, isPending, error } = useMutation({ mutationFn: () => api.testLeadDestination({ id }) })
  return (
    <Dialog title={`Test ${name}`} size={720} tall onClose={onClose}>
      <div className={css.form}>
        <p className={css.hint}>
          {sent && (sent.answer ? 'Sent with a sample lead.' : 'Kith tried to send this sample lead.')}
          {!sent && 'This sample lead will be sent.'} It does not count toward caps or appear in reports.
        </p>
        <FormFailure>{error && wordsOf(error)}</FormFailure>
        {sent && <Outcome of={sent} asMoney={asMoney} />}
        <Loaded query={preview} what="the request" height={200}>
          {(shown) => <Exchange request={(sent ?? shown).request} answer={sent?.answer ?? null} />}
        </Loaded>
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button leftSection={<Send size={14} />} loading={isPending} onClick={() => mutate()}>
            {sent ? 'Send again' : 'Send a test'}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

const outcomes: Record<string, { word: string; next: string }> = {
  accepted: { word: 'Accepted.', next: 'The destination works.' },
  rejected: { word: 'Rejected.', next: 'If that is wrong, change the response rules.' },
  duplicate: { word: 'Duplicate.', next: 'The partner already has the sample lead.' },
  again: { word: 'To be retried.', next: 'A real lead would be retried as its route says.' },
  failed: { word: 'Sending failed.', next: '' },
  unknown: { word: 'Unknown.', next: 'It may have arrived, but there was no response.' },
}

function Outcome({ of: { result, reason, price }, asMoney }: { of: DestinationTrial; asMoney: (n: number) => string }) {
  const { word, next } = outcomes[result ?? 'failed']!
  const Icon = result === 'accepted' ? CircleCheck : result === 'unknown' || result === 'again' ? CircleHelp : CircleX
  return (
    <p role="status" className={css.outcome} data-state={result}>
      <Icon size={16} />
      <span>
        <strong>{word}</strong> {reason ?? next}
        {price !== null && ` Price: ${asMoney(price)}.`}
      </span>
    </p>
  )
}

type ExchangeProps = Pick<DestinationTrial, 'request' | 'answer'>

/** A request and its answer as they were. Secrets are hidden by the server. */
export const Exchange = ({ request: { method, url, headers, body }, answer }: ExchangeProps) => (
  <>
    {answer && (
      <CodeBlock
        what="answer"
        caption={`Response ${answer.status ?? ''}`.trim()}
        code={[headerLines(answer.headers), readable(answer.body)].filter(Boolean).join('\n\n') || 'No response'}
      />
    )}
    <CodeBlock
      what="request"
      caption={method === 'EMAIL' ? `Email to ${url}` : `Request: ${method} ${url}`}
      code={[headerLines(headers), readable(body)].filter(Boolean).join('\n\n')}
      copies={[headerLines(headers), body].filter(Boolean).join('\n\n')}
    />
  </>
)
