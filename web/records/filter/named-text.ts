// A filter with users and records by name, for the text box. Chips and addresses keep their ids.
import { queryOptions } from '@tanstack/react-query'
import { type CheckedFilter, namedIn } from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/ids.ts'
import { api } from '../../client/api.ts'

export const hasIds = ({ checked }: CheckedFilter) => namedIn(checked).some(({ text }) => isId(text))

/** Without an answer the ids stay. */
export const namedTextQuery = (object: string, text: string) =>
  queryOptions({
    queryKey: ['records', 'named-filter', object, text],
    queryFn: () =>
      api.validateFilter({ object, filter: text }).then(
        ({ named }) => named ?? text,
        () => text,
      ),
    staleTime: 60_000,
  })
