import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { api } from '../../client/api.ts'
import { isCompared } from '../data/compared.ts'
import { reasonsOf } from '../data/duplicates.ts'
import { saidOf } from '../data/known-values.ts'
import { plain } from '../data/record-cache.ts'
import type { ObjectShape } from '../data/schema.ts'
import type { Values } from '../data/update-record.ts'
import css from './existing.module.css'

/** The same text for the same values. */
function textOf(values: Values) {
  const said = Object.entries(saidOf(values)).map(([key, value]) => [key, plain(value)] as const)
  return JSON.stringify(Object.fromEntries(said.sort(([a], [b]) => (a < b ? -1 : 1))))
}

const pauseMs = 400
const mostShown = 3

type Props = {
  object: ObjectShape
  values: Values
  /** What the form began with, such as the owner, does not say who it is. */
  initial: Values
}

/** Records that are probably the one being entered. Creating it stays possible. */
export function Existing({ object, values, initial }: Props) {
  const [text] = useDebouncedValue(textOf(values), pauseMs)
  const isAsked = isCompared(object) && text !== textOf(initial)
  const { data } = useQuery({
    queryKey: ['records', object.key, 'duplicates', 'like', text],
    queryFn: async ({ signal }) =>
      (await api.getDuplicates({ object: object.key, values: JSON.parse(text) }, { signal })).items[0],
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const found = (isAsked && data?.duplicates) || []
  const hidden = (isAsked && data?.hidden) || 0
  const more = Math.max(0, found.length - mostShown) + hidden
  return (
    <div role="status">
      {(found.length > 0 || hidden > 0) && (
        <div className={css.existing}>
          <p>
            <Copy size={14} />
            Already exists?
          </p>
          <ul>
            {found.slice(0, mostShown).map((one) => (
              <li key={one.id}>
                <a href={`/records/${object.key}/${one.id}`} target="_blank" rel="noreferrer">
                  <bdi>{one.title}</bdi>
                </a>{' '}
                <span>{reasonsOf(one)}</span>
              </li>
            ))}
            {more > 0 && <li>{found.length ? `${more} more` : `${more} that you cannot see`}</li>}
          </ul>
        </div>
      )}
    </div>
  )
}
