import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { asFilterField } from '../../../../contract/filter/index.ts'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { pluralOf } from '../../../records/data/value-text.ts'
import css from './list.module.css'

const mostShown = 5

/** Shown to Admins, because the records may belong to anyone. */
export function SharedValues({ object }: { object: ObjectShape }) {
  const { may } = useSignedIn()
  // Domains are what upgrades have compared in another way so far.
  const mayShare = may('admin') && object.fields.some((field) => asFilterField(field).domain)
  const shared = useQuery({
    queryKey: ['records', object.key, 'shared-values'],
    queryFn: ({ signal }) => api.listSharedValues({}, { signal }),
    enabled: mayShare,
    // Records that are changed elsewhere may give a value up.
    refetchOnMount: 'always',
  })
  const items = shared.data?.items.filter((item) => item.object === object.key) ?? []
  if (!mayShare || !items.length) return null
  const more = items.length - mostShown
  return (
    <details className={css.shared}>
      <summary>
        {items.length === 1 ? 'One value belongs' : `${items.length} values belong`} to several {pluralOf(object)},
        which are probably duplicates
      </summary>
      <p>Merge them, or remove the value from all but one. New {pluralOf(object)} cannot use it.</p>
      <ul>
        {items.slice(0, mostShown).map(({ field, value, records }) => (
          <li key={`${field} ${value}`}>
            <bdi>{value}</bdi>:{' '}
            {records.map(({ id, title }, i) => (
              <span key={id}>
                {i > 0 && ', '}
                <Link to="/records/$object/$id" params={{ object: object.key, id }}>
                  {title}
                </Link>
              </span>
            ))}
          </li>
        ))}
      </ul>
      {more > 0 && <p>And {more} more.</p>}
    </details>
  )
}
