import { CirclePause, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Panel } from './layout.tsx'
import css from './status.module.css'

export type Tone = 'ok' | 'warn' | 'bad' | 'quiet'

/** A colored dot with the word for it. */
export const StateDot = ({ of: { tone, word } }: { of: { tone: Tone; word: string } }) => (
  <span className={css.state} data-tone={tone}>
    {word}
  </span>
)

/** How something is doing, in a line. */
export const StatusLine = ({ of }: { of: [name: string, value: ReactNode][] }) => (
  <Panel as="dl" className={css.line}>
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </Panel>
)

type NoteProps = { tone: Exclude<Tone, 'ok'>; action?: ReactNode; children: ReactNode }

/** What needs attention, and what to do about it. */
export const StatusNote = ({ tone, action, children }: NoteProps) => (
  <div className={css.note} data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
    {tone === 'quiet' ? <CirclePause size={16} /> : <TriangleAlert size={16} />}
    <p>{children}</p>
    {action}
  </div>
)
