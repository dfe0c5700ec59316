import { FilterText } from '../../records/filter/filter-text.tsx'
import css from './reference.module.css'
import { useTryOut } from './tried.ts'

/** A filter that goes into the playground with a click. */
export function TryButton({ object, text }: { object: string; text: string }) {
  const tryOut = useTryOut()
  const run = () => {
    tryOut({ object, filter: text })
    document.querySelector('[data-playground]')?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <button type="button" className={css.try} title="Try it out" onClick={run}>
      <FilterText text={text} />
    </button>
  )
}
