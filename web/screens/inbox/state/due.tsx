import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Timer } from 'lucide-react'
import { hoursQuery, targetsOf } from '../../../channels/hours.ts'
import type { Conversation } from '../../../conversations/inbox.ts'
import { asDuration, asFull } from '../../../ui/text/moments.ts'
import { useNow } from '../../../ui/text/now.ts'
import css from './due.module.css'

/** Little is left: the last quarter of a target. */
const soonShare = 1 / 4

type Props = { of: Pick<Conversation, 'channel_id' | 'response_due_at' | 'resolution_due_at'>; isLong?: boolean }

/** The target that comes next, and how much time is left. It counts by itself. */
export function Due({ of: { channel_id, response_due_at, resolution_due_at }, isLong = false }: Props) {
  const now = useNow()
  const { data: hours } = useQuery({
    ...hoursQuery,
    staleTime: 60_000,
    enabled: Boolean(response_due_at ?? resolution_due_at),
  })
  const next = [response_due_at, resolution_due_at].filter((at) => at !== null).sort()[0]
  if (!next) return null
  const minutes = (Date.parse(next) - now) / 60_000
  const isResponse = next === response_due_at
  const what = isResponse ? 'Reply' : 'Close'
  const targets = targetsOf(hours, channel_id)
  const target = (isResponse ? targets?.response_minutes : targets?.resolution_minutes) ?? 0
  const isOver = minutes < 0
  const left = asDuration(Math.abs(minutes))
  const tone = isOver ? 'over' : minutes < target * soonShare ? 'soon' : undefined
  return (
    <span className={css.due} data-tone={tone} title={`${what} by ${asFull(next)}`}>
      <Timer size={12} />
      {isLong ? (
        <span>{isOver ? `${what}: ${left} overdue` : `${what} within ${left}`}</span>
      ) : (
        <span>
          <VisuallyHidden component="span">{what}: </VisuallyHidden>
          {isOver ? `${left} overdue` : left}
        </span>
      )}
    </span>
  )
}
