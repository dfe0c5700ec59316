import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { mostMerged } from '../../../contract/records.ts'
import { isCompared } from '../../records/data/compared.ts'
import { duplicatesQuery } from '../../records/data/duplicates.ts'
import { openMerge } from '../../records/data/open-merge.ts'
import type { RecordShape } from '../../records/data/records-api.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import css from './header.module.css'

/** Leads to the comparison with the records that are probably the same. */
export function DuplicatesLine({ object, record }: { object: ObjectShape; record: RecordShape }) {
  const { data = [] } = useQuery({
    ...duplicatesQuery(object.key, record.id),
    enabled: isCompared(object),
    retry: false,
  })
  if (!data.length) return null
  const ids = [record.id, ...data.map(({ id }) => id)].slice(0, mostMerged)
  return (
    <UnstyledButton className={css.duplicates} onClick={() => openMerge({ object: object.key, ids, areFound: true })}>
      <Copy size={13} />
      {data.length === 1 ? '1 possible duplicate' : `${data.length} possible duplicates`}
    </UnstyledButton>
  )
}
