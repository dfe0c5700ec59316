import { type ReactNode, useEffect, useRef } from 'react'
import type { ObjectShape } from '../../records/data/schema.ts'
import { useNoticesAbove } from '../../ui/basics/notices.tsx'
import { FormFailure } from '../../ui/basics/states.tsx'
import type { Choices, Preview } from './choices.ts'
import css from './import.module.css'

type Props = { title: string; about?: ReactNode; failure?: ReactNode; actions: ReactNode; children: ReactNode }

/** One step: its heading takes the focus, because the button that led here is gone. */
export function StepFrame({ title, about, failure, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  const foot = useRef<HTMLElement>(null)
  useNoticesAbove(foot)
  return (
    <section className={css.step} aria-label={title}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {about && <p>{about}</p>}
      </header>
      {children}
      <footer ref={foot} className={css.foot}>
        <FormFailure>{failure}</FormFailure>
        <div className={css.actions}>{actions}</div>
      </footer>
    </section>
  )
}

/** What every step gets that knows the columns of the file. */
export type StepProps = {
  object: ObjectShape
  file: string
  /** Unknown in a tab in which the file was not chosen. */
  name: string | undefined
  preview: Preview
  choices: Choices
  choose: (patch: Partial<Choices>) => void
}
