import css from './list.module.css'
import type { ListState } from './use-list-state.ts'

/** A list that shows too little because its view broke must not look like one without records. */
export function BrokenView({ state: { view, filter } }: { state: ListState }) {
  if (!view?.filter_error || filter !== view.filter) return null
  return (
    <div role="status" className={css.unshared}>
      <span>
        The filter of “<bdi>{view.name}</bdi>” no longer works. {view.filter_error}
      </span>
    </div>
  )
}
