import { Skeleton } from '@mantine/core'
import { Plus } from 'lucide-react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import css from './calendar.module.css'
import type { DayActions } from './calendar.tsx'
import { Entry } from './entry.tsx'
import { dayName } from './use-calendar.ts'

type Props = DayActions & {
  days: string[]
  byDay: Map<string, RecordShape[]>
  /** Every day of a week is there, also one without records. */
  isWeek: boolean
  isLoading: boolean
}

/** Day by day, one record below the other. */
export function Agenda({ days, byDay, isWeek, isLoading, ...actions }: Props) {
  const { object, today, onCreate } = actions
  const shown = days.filter((day) => isWeek || byDay.has(day) || day === today || day === days[0])
  if (isLoading)
    return (
      <div className={css.agenda}>
        {[1, 2, 3].map((n) => (
          <Skeleton key={n} height={56} mb={12} animate={false} aria-hidden="true" />
        ))}
      </div>
    )
  return (
    <div className={css.agenda}>
      {shown.map((day) => {
        const name = dayName(day, { weekday: 'long', day: 'numeric', month: 'long' })
        return (
          <section key={day} className={css.agendaDay} data-today={day === today || undefined} aria-label={name}>
            <header>
              <h3>{day === today ? `Today, ${name}` : name}</h3>
              {onCreate && (
                <IconButton
                  icon={Plus}
                  label={`New ${inSentence(object.label)} on ${name}`}
                  onClick={() => onCreate(day)}
                />
              )}
            </header>
            {byDay.has(day) ? (
              <ul className={css.entries}>
                {byDay.get(day)!.map((record) => (
                  <li key={record.id}>
                    <Entry record={record} day={day} {...actions} />
                  </li>
                ))}
              </ul>
            ) : (
              <p className={css.none}>No {inSentence(object.label_plural)}</p>
            )}
          </section>
        )
      })}
    </div>
  )
}
