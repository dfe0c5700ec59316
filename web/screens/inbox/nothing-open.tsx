import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { countsQuery } from '../../conversations/inbox.ts'
import { Message } from '../../ui/basics/states.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import css from './inbox.module.css'

/** Beside the list while no conversation is open: how much there is to do, and the way to begin. */
export function NothingOpen({ onFirst }: { onFirst: (() => void) | undefined }) {
  const { data } = useQuery(countsQuery)
  const facts = data && [
    ['Unread', data.unread],
    ['Assigned to you', data.mine],
    ['Unassigned', data.unassigned],
  ]
  return (
    <div className={css.none}>
      <Message
        icon={MessagesSquare}
        title={data && !data.unread ? 'You’re all caught up' : 'No conversation selected'}
        action={onFirst && <Button onClick={onFirst}>Open the first conversation</Button>}
      >
        {facts && (
          <dl className={css.counts}>
            {facts.map(([label, count]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{asNumber(Number(count))}</dd>
              </div>
            ))}
          </dl>
        )}
        Go through the list with <kbd>j</kbd> and <kbd>k</kbd>. Press <kbd>?</kbd> for all shortcuts.
      </Message>
    </div>
  )
}
