import { useParams, useSearch } from '@tanstack/react-router'
import type { ListSearch } from '../../../records/list-search.ts'
import { useObject } from '../../../records/schema.ts'
import { Missing } from '../../../ui/missing.tsx'
import { ListPage } from './list-page.tsx'

/** The list of one object. */
export function RecordList() {
  const { object: key } = useParams({ strict: false }) as { object: string }
  const search = useSearch({ strict: false }) as ListSearch
  const object = useObject(key)
  if (!object || object.rights.read === 'none') return <Missing what="kind of record" back="/records" />
  return <ListPage key={object.key} object={object} search={search} />
}
