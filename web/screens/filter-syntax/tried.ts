// What is being tried out: it lives in the address.
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { pages } from '../../../contract/pages.ts'
import type { ObjectShape } from '../../records/schema.ts'
import type { Search } from './search.ts'

const route = getRouteApi(`/frame${pages.filterSyntax}`)

export function useTriedObject(schema: ObjectShape[]) {
  const key = route.useSearch({ select: ({ object }) => object })
  return schema.find((object) => object.key === key) ?? schema[0]!
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
