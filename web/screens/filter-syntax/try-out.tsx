import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { pages } from '../../../contract/shared/pages.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { FilterText } from '../../records/filter/filter-text.tsx'
import css from './reference.module.css'
import type { Search } from './search.ts'

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

// What is being tried out: it lives in the address.

const route = getRouteApi(`/frame${pages.filterSyntax}`)

export function useTriedObject(schema: ObjectShape[]) {
  const key = route.useSearch({ select: ({ object }) => object })
  const named = (name: string | undefined) => schema.find((object) => object.key === name)
  return named(key) ?? named('people') ?? schema[0]!
}

export const useTriedFilter = () => route.useSearch({ select: ({ filter }) => filter ?? '' })

/** `typing` leaves no trace in the history: Back leads away, not through every letter. */
export function useTryOut() {
  const navigate = route.useNavigate()
  return useCallback(
    (search: Search, { typing = false } = {}) => void navigate({ search, replace: typing, resetScroll: false }),
    [navigate],
  )
}
