import { Fragment, type ReactNode } from 'react'
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
