import type { ReactNode } from 'react'
import { CopyButton } from './code.tsx'
import css from './shown-once.module.css'

type Props = { label: string; value: string; copy: string; onCopied?: () => void; children?: ReactNode }

/** A secret that nobody can look up afterwards, to be copied now. */
export const ShownOnce = ({ label, value, copy, onCopied, children }: Props) => (
  <section className={css.box} aria-label={label}>
    {children}
    <code className={css.value} onCopy={onCopied}>
      {value}
    </code>
    <CopyButton focused value={value} label={copy} variant="filled" size="sm" onCopied={onCopied} />
  </section>
)
