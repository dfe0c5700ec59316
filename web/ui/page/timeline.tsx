import type { ReactNode } from 'react'
import { asFull, asNearDay, asTime, dayOf } from '../text/moments.ts'
import css from './timeline.module.css'

type DaysProps<Item> = { items: Item[]; label: string; children: (item: Item) => ReactNode }

/** What happened, day by day in the reader's time zone. */
export const TimelineDays = <Item extends { at: string }>({ items, label, children }: DaysProps<Item>) => (
  <section className={css.timeline} aria-label={label}>
    {[...Map.groupBy(items, ({ at }) => dayOf(Date.parse(at)))].map(([day, some]) => (
      <section key={day} aria-label={asNearDay(some[0]!.at)}>
        <h3 className={css.day}>{asNearDay(some[0]!.at)}</h3>
        <ol className={css.entries}>{some.map(children)}</ol>
      </section>
    ))}
  </section>
)

type EntryProps = {
  icon: ReactNode
  /** `quiet`: of less weight than what people wrote. */
  tone?: 'quiet' | undefined
  at: string
  head: ReactNode
  /** Shown when one points at the entry, or comes to it with the keyboard. */
  actions?: ReactNode
  children?: ReactNode
}

/** One thing that happened: who did what, when, and what there is to read about it. */
export const TimelineEntry = ({ icon, tone, at, head, actions, children }: EntryProps) => (
  <li className={css.entry} data-tone={tone}>
    <span className={css.icon}>{icon}</span>
    <div className={css.content}>
      <div className={css.head}>
        <span className={css.words}>{head}</span>
        {actions && <span className={css.actions}>{actions}</span>}
        <time className={css.when} dateTime={at} title={asFull(at)}>
          {asTime(at)}
        </time>
      </div>
      {children}
    </div>
  </li>
)
