import type { Tone } from './lead-source.ts'
import css from './website-leads.module.css'

/** A colored dot with the word for it. */
export const StateDot = ({ of: { tone, word } }: { of: { tone: Tone; word: string } }) => (
  <span className={css.state} data-tone={tone}>
    {word}
  </span>
)
