import { Fragment, type ReactNode } from 'react'
import { Panel } from '../basics/layout.tsx'
import { asNumber } from '../text/numbers.ts'
import css from './facts.module.css'

/** Things that are so, by name. What has no value is left out. */
export const Facts = ({ of }: { of: [name: string, value: ReactNode][] }) => (
  <dl className={css.facts}>
    {of
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </Fragment>
      ))}
  </dl>
)

export type Figure = { count: number; label: string; tone?: 'warn' }

/** A few numbers that sum something up. */
export const Figures = ({ label, of }: { label: string; of: Figure[] }) => (
  <ul className={css.figures} aria-label={label}>
    {of.map((figure) => (
      <Panel as="li" key={figure.label} data-tone={figure.count > 0 ? figure.tone : undefined}>
        <b>{asNumber(figure.count)}</b> <span>{figure.label}</span>
      </Panel>
    ))}
  </ul>
)

export type Total = [name: string, value: string, note?: string]

/** What a report comes to, in a line. */
export const Totals = ({ of }: { of: Total[] }) => (
  <Panel as="dl" className={css.totals}>
    {of.map(([name, value, note]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {value}
          {note && <small>{note}</small>}
        </dd>
      </div>
    ))}
  </Panel>
)
