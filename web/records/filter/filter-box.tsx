import { lazy, Suspense } from 'react'
import css from './filter-editor.module.css'

export type FilterBoxProps = {
  object: string
  /** The filter that holds, as text. */
  value: string
  /** Enter, when nothing is wrong. */
  onChange: (text: string) => void
  /** Also while typing, after a pause, when nothing is wrong. */
  onValid?: (text: string) => void
  /** Every change of the text, right or wrong. */
  onDraft?: (text: string) => void
  /** Whoever hears of drafts acts on them: nothing waits for Enter. */
  isLive?: boolean
  /** Escape. */
  onLeave?: () => void
  autoFocus?: boolean
  /** Its name for those who do not see it. */
  label?: string
  hint?: string
}

const FilterEditor = lazy(() => import('./filter-editor.tsx'))

/** A filter as text, with colours, completion, and faults under the very word. The editor is fetched when first drawn. */
export const FilterBox = (props: FilterBoxProps) => (
  <Suspense fallback={<Waiting {...props} />}>
    <FilterEditor {...props} />
  </Suspense>
)

const Waiting = ({ value }: FilterBoxProps) => (
  <div className={css.box} aria-busy="true">
    <div className={css.waiting}>{value || '\u00a0'}</div>
  </div>
)
