import { isBuiltIn } from '../../../records/data/built-in.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'

type QuickFilter = { label: string; filter: string }

/** What is asked of this object most, as far as it has the fields. */
export function quickFilters(object: ObjectShape): QuickFilter[] {
  const has = (key: string, type: FieldShape['type']) => object.byKey.get(key)?.type === type
  const hasOption = (key: string, option: string) => object.byKey.get(key)?.options?.some((one) => one.key === option)
  const all: [QuickFilter, unknown][] = [
    has('assignee', 'user') ? [mine('assignee'), true] : [mine('owner'), !isBuiltIn(object, ...ownerless)],
    [{ label: 'Open', filter: 'status = open' }, hasOption('status', 'open')],
    [{ label: 'Customers', filter: 'status = customer' }, hasOption('status', 'customer')],
    [{ label: 'New', filter: 'status = new' }, hasOption('status', 'new')],
    [{ label: 'This quarter', filter: 'expected_close in this_quarter' }, has('expected_close', 'date')],
    [{ label: 'Due today', filter: 'due_at in today' }, has('due_at', 'datetime')],
    [{ label: 'Added this week', filter: 'created_at in this_week' }, isBuiltIn(object, ...addedBy)],
    [{ label: 'No contact for 30 days', filter: 'quiet for 30d' }, isBuiltIn(object, ...contacted)],
  ]
  return all.flatMap(([quick, isThere]) => (isThere ? [quick] : []))
}

const mine = (field: string): QuickFilter => ({ label: 'Mine', filter: `${field} = me` })

const ownerless = ['products', 'deal_lines']
const addedBy = ['people', 'organizations', 'leads']
const contacted = ['people', 'organizations']
