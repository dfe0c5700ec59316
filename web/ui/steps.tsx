import { Check } from 'lucide-react'
import css from './steps.module.css'

/** Where one is in something that is done step by step. `current` counts from 0. */
export const Steps = ({ of, current }: { of: readonly string[]; current: number }) => (
  <ol className={css.steps} aria-label="Steps">
    {of.map((step, index) => (
      <li
        key={step}
        aria-current={index === current ? 'step' : undefined}
        data-state={index < current ? 'done' : index === current ? 'current' : 'open'}
      >
        <span className={css.number} aria-hidden="true">
          {index < current ? <Check size={12} strokeWidth={3} /> : index + 1}
        </span>
        <span className={css.name}>{step}</span>
      </li>
    ))}
  </ol>
)
