import css from './figures.module.css'
import { asNumber } from './numbers.ts'

export type Figure = { count: number; label: string; tone?: 'warn' }

/** A few numbers that sum something up. */
export const Figures = ({ label, of }: { label: string; of: Figure[] }) => (
  <ul className={css.figures} aria-label={label}>
    {of.map((figure) => (
      <li key={figure.label} data-tone={figure.count > 0 ? figure.tone : undefined}>
        <b>{asNumber(figure.count)}</b> <span>{figure.label}</span>
      </li>
    ))}
  </ul>
)
