import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Scope } from '../../../contract/filter/index.ts'
import { explain } from '../../../contract/filter/index.ts'
import { mapReferences, namedIn } from '../../../contract/filter/references.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { knownUsersQuery } from '../../users/users.ts'
import { titleQuery } from '../data/records-api.ts'
import { read } from './tree.ts'

/** A filter as people say it: "Subject contains "invoice", and assignee is empty". What no longer works stays as written. */
export function useFilterWords(text: string, { objects, root }: Scope) {
  const filter = useMemo(() => (text ? read(text, { objects, root }).filter : undefined), [text, objects, root])
  const records = useMemo(
    () =>
      (filter ? namedIn(filter.checked) : []).flatMap(({ kind, text }) =>
        kind === 'record' && isId(text) ? text : [],
      ),
    [filter],
  )
  const titles = useQueries({ queries: records.map((id) => titleQuery(id)) })
  const { data: users } = useQuery(knownUsersQuery)
  if (!filter) return text
  const named = mapReferences(filter.checked, ({ kind, text }) => {
    if (!isId(text)) return text
    if (kind === 'user') return users?.get(text)?.name ?? '…'
    const found = titles[records.indexOf(text)]?.data
    return found === null ? 'a deleted record' : (found?.title ?? '…')
  })
  return explain(named).replace(/\.$/, '')
}
