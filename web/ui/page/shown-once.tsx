import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyButton } from '../text/code.tsx'
import css from './shown-once.module.css'

type Props = { label: string; value: string; copy: string; onCopied?: () => void; children?: ReactNode }

/** A secret that cannot be shown again, to be copied now. */
export const ShownOnce = ({ label, value, copy, onCopied, children }: Props) => (
  <section className={css.box} aria-label={label}>
    {children}
    <code className={css.value} onCopy={onCopied}>
      {value}
    </code>
    <CopyButton focused value={value} label={copy} variant="filled" size="sm" onCopied={onCopied} />
  </section>
)

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
