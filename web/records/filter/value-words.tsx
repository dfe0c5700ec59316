import { useQuery } from '@tanstack/react-query'
import { valuePhrase } from '../../../contract/filter/explain.ts'
import { isPartial } from '../../../contract/filter/fields.ts'
import type { FilterField, Op, Value } from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/ids.ts'
import { knownUsersQuery } from '../../users/directory.ts'
import { useTitle } from '../titles.ts'
import { asCountry } from '../value-text.ts'

type Props = { field: FilterField; op: Op; values: Value[] }

const mostShown = 3

/** The values of a condition as one would say them. */
export const ValueWords = ({ field, op, values }: Props) => (
  <>
    {values.slice(0, mostShown).map((value, i) => (
      <span key={JSON.stringify(value)} dir="auto">
        {i > 0 && ', '}
        <ValueWord field={field} op={op} value={value} />
      </span>
    ))}
    {values.length > mostShown && ` and ${values.length - mostShown} more`}
  </>
)

function ValueWord({ field, op, value }: { field: FilterField; op: Op; value: Value }) {
  if (field.type === 'user' && typeof value === 'string') return <UserWord named={value} />
  if (field.type === 'relation' && typeof value === 'string' && isId(value)) return <TitleWord id={value} />
  if (field.type === 'boolean') return value ? 'yes' : 'no'
  if (field.type === 'country' && !isPartial(op)) return asCountry(value)
  if (isPartial(op)) return JSON.stringify(value)
  return valuePhrase(field, value)
}

function UserWord({ named }: { named: string }) {
  const { data } = useQuery(knownUsersQuery)
  const wanted = named.toLowerCase()
  const user = [...(data?.values() ?? [])].find(({ id, email }) => id === wanted || email === wanted)
  return user?.name ?? named
}

function TitleWord({ id }: { id: string }) {
  const { data: titled, isError } = useTitle(id)
  return titled === null ? 'a deleted record' : (titled?.title ?? (isError ? 'a record' : '…'))
}
