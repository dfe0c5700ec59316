import { Button } from '@mantine/core'
import { type ComponentProps, type ElementType, type ReactNode, useId } from 'react'
import css from './layout.module.css'
import { useIsPhone } from './screen.ts'

type PanelProps<Tag extends ElementType> = Omit<ComponentProps<Tag>, 'as'> & {
  as?: Tag
  /** Set back from the page, for hints and for what is only read. */
  sunken?: boolean
  padded?: boolean
  /** A line between its children. */
  divided?: boolean
}

/** A box with a border. */
export function Panel<Tag extends ElementType = 'div'>({
  as,
  sunken,
  padded,
  divided,
  className = '',
  ...rest
}: PanelProps<Tag>) {
  const Box: ElementType = as ?? 'div'
  return (
    <Box
      className={`${css.panel} ${className}`}
      data-sunken={sunken || undefined}
      data-padded={padded || undefined}
      data-divided={divided || undefined}
      {...rest}
    />
  )
}

type TitleProps = { title: ReactNode; id?: string; count?: ReactNode; about?: ReactNode; action?: ReactNode }

/** The title of a part of a page; what can be done with it stands at the right. */
export const PartTitle = ({ title, id, count, about, action }: TitleProps) => (
  <header className={css.head}>
    <h2 id={id}>{title}</h2>
    {count !== undefined && <span className={css.count}>{count}</span>}
    {action && <div className={css.actions}>{action}</div>}
    {about && <p className={css.about}>{about}</p>}
  </header>
)

type PartProps = Omit<TitleProps, 'id'> & { className?: string; children: ReactNode }

/** A titled part of a page. */
export function Part({ className = '', children, ...title }: PartProps) {
  const id = useId()
  return (
    <section className={`${css.part} ${className}`} aria-labelledby={id}>
      <PartTitle id={id} {...title} />
      {children}
    </section>
  )
}

type FiltersProps = {
  children: ReactNode
  /** Left out while nothing is chosen. */
  onClear?: (() => void) | false | undefined
}

/** What a list is narrowed by, in a row above it; on phones, folded. A field with `data-wide` gets more room. */
export function Filters({ children, onClear }: FiltersProps) {
  const isNarrow = useIsPhone()
  const clear = onClear && (
    <Button variant="subtle" color="gray" onClick={onClear}>
      Clear
    </Button>
  )
  if (!isNarrow)
    return (
      <search className={css.filters}>
        {children}
        {clear}
      </search>
    )
  return (
    <search className={css.folded}>
      <details>
        <summary>Filters</summary>
        <div className={css.filters}>{children}</div>
      </details>
      {clear}
    </search>
  )
}
