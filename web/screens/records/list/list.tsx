import { useParams, useSearch } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { type ObjectShape, useObject } from '../../../records/schema.ts'
import { Missing } from '../../frame/missing.tsx'
import { ListPage } from './list-page.tsx'
import type { ListSearch } from './list-search.ts'

/** The list of one object. */
export function RecordList() {
  const { object: key } = useParams({ strict: false }) as { object: string }
  const object = useObject(key)
  if (!object || object.rights.read === 'none') return <Missing what="kind of record" back="/records" />
  return <Unhurried key={object.key} object={object} />
}

/** Another filter is drawn bit by bit: whoever types on need not wait for it. All else is there with the click. */
function Unhurried({ object }: { object: ObjectShape }) {
  const search = useSearch({ strict: false }) as ListSearch
  const drawn = useDeferredValue(search)
  return <ListPage object={object} search={isSameButForFilter(search, drawn) ? drawn : search} />
}

const isSameButForFilter = ({ filter: _, ...one }: ListSearch, { filter: __, ...other }: ListSearch) =>
  JSON.stringify(one) === JSON.stringify(other)
